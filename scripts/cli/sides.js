/**
 * The sides of a run: one, or base and head of one repository in checkouts of their own.
 * @import { Config, Side, Warning } from '../types.js'
 */

import { resolve } from 'node:path';
import { checkOutSides } from '../boot/trees.js';
import { serversById, serversIn } from '../plan/sides.js';

/**
 * What a run measures side by side.
 * @typedef {{ sides: Side[], warnings: Warning[] }} Sides
 */

/**
 * The sides of a run that needs no checkout. `--against same` boots one and the same tree as both, which shows the noise
 * floor; before a checkout, both are taken to be as the working directory has them.
 * @param {Config} config
 * @returns {Side[]}
 */
export function sidesHere(config) {
  const servers = serversById(config);
  return (config.against === undefined ? ['head'] : ['base', 'head']).map((label) => ({ label, servers }));
}

/**
 * @param {Config} config
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, readConfig: (cwd: string) => Config }} context
 * @returns {Promise<Sides>}
 * @throws {import('../errors.js').UserError} where the other side cannot be had at all
 */
export async function sidesOf(config, { cwd, env, readConfig }) {
  const { against } = config;
  if (against === undefined || against === 'same') return { sides: sidesHere(config), warnings: [] };
  const { top, base, head, warnings } = await checkOutSides(against, {
    cwd,
    env,
    out: resolve(cwd, config.out),
  });
  const sides = [
    { label: 'base', ...base, readAgain: readConfig },
    { label: 'head', ...head },
  ].map(({ label, folder, stamps, revision, ...rest }) => ({
    label,
    servers: serversIn(config, { top, folder, cwd, ...rest }),
    stamps,
    revision,
  }));
  return { sides, warnings };
}
