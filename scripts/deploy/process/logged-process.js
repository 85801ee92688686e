/** @import { Command } from '../../types.js' */
/** @import { Log } from '../../system/process/log.js' */
/** @import { ProcessGroup } from '../../system/process/process-group.js' */

import { keepLog } from '../../system/process/log.js';
import { startProcessGroup } from '../../system/process/process-group.js';
import { SHELL_WORDS } from '../../system/process/shell.js';

/** Optional assignments, then one command with its arguments. */
const ONE_COMMAND = /^\s*((?:[A-Za-z_]\w*=[^\s'"\\`]*\s+)*)(([\w./:@%+-]+)(?:\s[^;&|()<>`\n]*)?)$/;

/** @typedef {Omit<ProcessGroup, 'child' | 'isEmpty' | 'loose' | 'signal' | 'kill'> & Log} Group */

/**
 * Starts a command as a process group, and keeps its first and last lines.
 * @param {Command} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, uid?: number, gid?: number, scratch?: string, core?: string
 *   }} options uid, gid: another user's; scratch: a folder that is removed if the engine dies; core: the only
 *   one that it may use
 * @returns {Promise<Group>}
 * @throws {Error} if the command cannot be started, with the system's code
 */
export async function startGroup(command, { core, ...options }) {
  const argv = core === undefined ? argvOf(command) : ['taskset', '--cpu-list', core, ...argvOf(command)];
  const { child, ...group } = await startProcessGroup(argv, options);
  return { ...group, ...keepLog([child.stdout, child.stderr]) };
}

/**
 * A string runs through sh, an array is executed directly. `exec` replaces the shell by a single program: a
 * waiting shell would hide how the program ends, and be measured with it. Debian's does not do so by itself.
 * @param {Command} command
 */
function argvOf(command) {
  if (typeof command !== 'string') return command;
  const [, assignments, rest, word = ''] = ONE_COMMAND.exec(command) ?? [];
  return ['sh', '-c', rest && !SHELL_WORDS.includes(word) ? `${assignments}exec ${rest}` : command];
}
