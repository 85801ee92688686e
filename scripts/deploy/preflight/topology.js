/**
 * What has to be there for the ways in which servers are to stand: nginx, openssl, pm2.
 * @import { Load } from '../../types.js'
 * @import { Manager } from '../topology/managers.js'
 */

import { allowedEnvironment } from '../../system/process/environment.js';
import { UserError } from '../../model/errors.js';
import { askProgram, findProgram } from '../../system/process/programs.js';
import { findFrontProgram, programsOf } from '../topology/fronts.js';
import { MANAGERS, managerOf } from '../topology/managers.js';

/**
 * @param {Load[]} loads
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} naming everything that is not installed and cannot be downloaded, with the command that installs it
 */
export function requireArrangements(loads, env) {
  const fronts = programsFor(loads)
    .filter((each) => findFrontProgram(each, env) === undefined)
    .map(
      ({ program, package: name }) =>
        `proxy: ${program} is not installed; install it with: sudo apt-get install ${name}`,
    );
  const managers = managersFor(loads)
    .filter(([, { installed }]) => installed && installed(env) === undefined)
    .filter(() => findProgram('npm', { env }) === undefined)
    .map(
      ([id]) =>
        `manager: ${id} is not installed, nor is npm, which downloads it; install it with: ` +
        `sudo apt-get install npm && npm install --global ${id}`,
    );
  if (fronts.length + managers.length > 0) throw new UserError([...fronts, ...managers].join('\n'));
}

/**
 * @param {Load[]} loads
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Record<string, string>>} the versions of what is used, by name
 * @throws {UserError} for what cannot be downloaded, with the command that installs it
 */
export async function bringArrangements(loads, { env, signal }) {
  /** @type {Record<string, string>} */
  const versions = {};
  for (const [id, { installed, bring, version }] of managersFor(loads)) {
    if (installed?.(env) === undefined) await bring?.({ env, signal });
    if (version) versions[id] = version(env);
  }
  for (const each of programsFor(loads)) {
    const program = findFrontProgram(each, env) ?? each.program;
    const { text } = await askProgram(program, [each.versionArgument], allowedEnvironment(env));
    versions[each.program] = /\d+(\.\d+)+/.exec(text)?.[0] ?? 'unknown';
  }
  return versions;
}

/** @param {Load[]} loads */
function programsFor(loads) {
  return [...new Set(loads.flatMap(programsOf))];
}

/**
 * @param {Load[]} loads
 * @returns {[id: string, Manager][]}
 */
function managersFor(loads) {
  const used = new Set(loads.map(managerOf));
  return Object.entries(MANAGERS).filter(([id]) => used.has(id));
}
