/**
 * The sides of a run: one, or base and head of one repository in checkouts of their own.
 * @import { Config, Side, Warning } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkOutSides } from '../deploy/source/worktrees.js';
import { onlyCase, onlyRelevant } from '../plan/relevant.js';
import { serversById, serversIn } from '../plan/sides.js';

/**
 * What is measured side by side: the configuration with the servers that a change can matter to, which may be none.
 * @typedef {{ config: Config, sides: Side[], warnings: Warning[] }} Sides
 */

/** A commit that is measured in place of the working tree; case: by its id, where one alone matters. @typedef {{ commit: string, case?: string }} Candidate */

/**
 * The sides of a run that needs no checkout. `--against self` boots one and the same tree as both, which shows the noise
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
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, readConfig: (cwd: string) => Config, candidate?: Candidate | undefined }} context
 * @returns {Promise<Sides>}
 * @throws {import('../model/errors.js').UserError} where the other side cannot be had at all
 */
export async function sidesOf(config, { cwd, env, readConfig, candidate }) {
  const { against } = config;
  if (against === undefined || against === 'self') return { config, sides: sidesHere(config), warnings: [] };
  const out = resolve(cwd, config.out);
  const commit = candidate?.commit;
  const { top, base, head, changed, warnings } = await checkOutSides(against, { cwd, env, out, commit });
  const wanted = candidate?.case === undefined ? config : onlyCase(config, candidate.case);
  const touched = onlyRelevant(wanted, changed);
  /** Of a checkout that is not the working tree. @param {string} folder */
  const elsewhere = (folder) => ({
    readAgain: readConfig,
    added: changed.filter((file) => !existsSync(join(folder, file))),
  });
  const places = [
    { label: 'base', ...base, ...elsewhere(base.folder) },
    { label: 'head', ...head, ...(candidate && elsewhere(head.folder)) },
  ];
  const found = places.map(({ label, revision, ...place }) => {
    const { servers: there, warnings: notes } = serversIn(touched, { top, cwd, ...place });
    return { side: { label, revision, servers: there }, notes };
  });
  const sides = found.map(({ side }) => side);
  warnings.push(...found.flatMap(({ notes }) => notes));
  const left = wanted.servers.filter((server) => !touched.servers.includes(server));
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
