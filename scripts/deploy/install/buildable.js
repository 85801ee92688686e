/**
 * Why a server cannot be installed and built on this machine, as far as that can be known without doing it.
 * @import { Server } from '../../types.js'
 */

import { askProgram } from '../../system/process/programs.js';
import { shellLine } from '../../system/process/shell.js';
import { serverEnvironment } from '../start/environment.js';
import { notInstalled } from '../preflight/install-hints.js';
import { lackingOf } from '../preflight/programs.js';
import { REHEARSALS } from '../runtimes.js';

/**
 * @param {Server} server
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Promise<string | undefined>} what it lacks and how to get it, or what its package manager says; undefined where
 *   nothing is known to be in the way
 */
export async function whyNotBuilt(server, caller) {
  const env = serverEnvironment(caller, server);
  const lacking = lackingOf(server, env);
  return lacking.length > 0 ? lacking.map(notInstalled).join('; ') : whyNotInstalled(server, env);
}

/**
 * Nothing is written but the package manager's own cache.
 * @param {Server} server
 * @param {NodeJS.ProcessEnv} env
 */
async function whyNotInstalled({ install = '', folder }, env) {
  const line = shellLine(install);
  const { option } = rehearsalOf(line) ?? {};
  if (option === undefined) return undefined;
  const command = `${line} ${option}`;
  const { failed, text } = await askProgram('/bin/sh', ['-c', `cd "$0" && exec ${command}`, folder], env);
  return failed ? (whyItFailed(line, text) ?? `\`${command}\` failed`) : undefined;
}

/**
 * @param {string} line a command that failed
 * @param {string} printed
 * @returns {string | undefined} why; undefined where its program's messages are not known, or do not tell
 */
export function whyItFailed(line, printed) {
  return rehearsalOf(line)?.why(printed);
}

/** @param {string} line */
function rehearsalOf(line) {
  return REHEARSALS.find(({ of }) => of.test(line));
}
