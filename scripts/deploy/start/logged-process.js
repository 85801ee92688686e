/**
 * A command as a process group whose first and last lines are kept.
 * @import { Command } from '../../types.js'
 * @import { ProcessGroup } from '../../system/process/process-group.js'
 * @import { Log } from './log.js'
 */

import { startProcessGroup } from '../../system/process/process-group.js';
import { SHELL_WORDS } from '../../system/process/shell.js';
import { keepLog } from './log.js';

/** Perhaps assignments, then one command with its arguments. */
const ONE_COMMAND = /^\s*((?:[A-Za-z_]\w*=[^\s'"\\`]*\s+)*)(([\w./:@%+-]+)(?:\s[^;&|()<>`\n]*)?)$/;

/**
 * logTail, logHead and quietMs are a Log's.
 * @typedef {Pick<ProcessGroup, 'pid' | 'ancestor' | 'exited' | 'hasExited' | 'left' | 'stop'>
 *   & { logTail: Log['tail'], logHead: Log['head'], quietMs: Log['quietMs'] }} Group
 */

/**
 * @param {Command} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, uid?: number, gid?: number, scratch?: string }} options uid, gid: another user's;
 *   scratch: a folder that is removed if the engine dies
 * @returns {Promise<Group>}
 * @throws {Error} where the command cannot be started, with the system's code
 */
export async function startGroup(command, options) {
  const { child, ...group } = await startProcessGroup(argvOf(command), options);
  const { tail: logTail, head: logHead, quietMs } = keepLog([child.stdout, child.stderr]);
  return { ...group, logTail, logHead, quietMs };
}

/**
 * A shell that only waits for one program would stand between us and how that ends, and be measured with it; not every
 * shell (Debian's does not) makes way by itself.
 * @param {Command} command
 * @returns {string[]} a line goes to the shell, a vector to nobody
 */
function argvOf(command) {
  if (typeof command !== 'string') return command;
  const [, assignments, rest, word = ''] = ONE_COMMAND.exec(command) ?? [];
  return ['sh', '-c', rest && !SHELL_WORDS.includes(word) ? `${assignments}exec ${rest}` : command];
}
