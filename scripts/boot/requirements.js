/**
 * What has to be there for the ways in which servers are to stand: nginx, openssl, pm2.
 * @import { Load } from '../types.js'
 */

import { allowedEnvironment } from '../environment.js';
import { UserError } from '../errors.js';
import { askProgram } from '../programs.js';
import { findFrontProgram, programsOf } from './fronts.js';
import { MANAGERS, managerOf } from './managers.js';

/**
 * @param {Load[]} loads
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<Record<string, string>>} the versions of what is used, by name
 * @throws {UserError} for what is lacking and cannot be brought, with the command that installs it
 */
export async function requireArrangements(loads, { env, signal }) {
  const programs = [...new Set(loads.flatMap(programsOf))];
  const lacking = programs.filter((each) => findFrontProgram(each, env) === undefined);
  if (lacking.length > 0)
    throw new UserError(
      lacking
        .map(
          ({ program, package: name }) =>
            `front: ${program} is not installed; install it with: sudo apt-get install ${name}`,
        )
        .join('\n'),
    );
  /** @type {Record<string, string>} */
  const versions = {};
  for (const id of new Set(loads.flatMap((load) => managerOf(load) ?? []))) {
    const { installed, bring, version } = MANAGERS[id] ?? {};
    if (installed?.(env) === undefined) await bring?.({ env, signal });
    if (version) versions[id] = version(env);
  }
  for (const each of programs) {
    const program = findFrontProgram(each, env) ?? each.program;
    const { text } = await askProgram(program, [each.versionArgument], allowedEnvironment(env));
    versions[each.program] = /\d+(\.\d+)+/.exec(text)?.[0] ?? 'unknown';
  }
  return versions;
}
