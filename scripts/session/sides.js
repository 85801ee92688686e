/**
 * The sides of a run: one, or base and head of one repository in checkouts of their own.
 * @import { Config, Side, Warning } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkOutSides } from '../boot/trees.js';
import { onlyRelevant } from '../plan/relevant.js';
import { serversById, serversIn } from '../plan/sides.js';

/**
 * What is measured side by side: the configuration with the servers that a change can matter to, which may be none.
 * @typedef {{ config: Config, sides: Side[], warnings: Warning[] }} Sides
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
  if (against === undefined || against === 'same') return { config, sides: sidesHere(config), warnings: [] };
  const out = resolve(cwd, config.out);
  const { top, base, head, changed, warnings } = await checkOutSides(against, { cwd, env, out });
  const touched = onlyRelevant(config, changed);
  const added = changed.filter((file) => !existsSync(join(base.folder, file)));
  const places = [
    { label: 'base', ...base, readAgain: readConfig, added },
    { label: 'head', ...head },
  ];
  const found = places.map(({ label, revision, ...place }) => {
    const { servers: there, warnings: notes } = serversIn(touched, { top, cwd, ...place });
    return { side: { label, revision, servers: there }, notes };
  });
  const sides = found.map(({ side }) => side);
  warnings.push(...found.flatMap(({ notes }) => notes));
  const left = config.servers.filter((server) => !touched.servers.includes(server));
  return { config: touched, sides, warnings: [...warnings, ...notTouched(left)] };
}

/**
 * @param {Config['servers']} servers
 * @returns {Warning[]}
 */
function notTouched(servers) {
  if (servers.length === 0) return [];
  return [{ code: 'not-touched', servers: servers.map(({ name }) => name) }];
}
