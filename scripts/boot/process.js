/**
 * A command as a process group whose first and last lines are kept.
 * @import { Command } from '../types.js'
 * @import { ProcessGroup } from '../process-group.js'
 * @import { Log } from './log.js'
 */

import { startProcessGroup } from '../process-group.js';
import { keepLog } from './log.js';

/** One program with its arguments, perhaps after assignments, and no word that only a shell knows. */
const ONE_PROGRAM =
  /^\s*((?:[A-Za-z_]\w*=[^\s'"\\`]*\s+)*)(?!(?:[.:]|cd|command|eval|exec|exit|export|set|trap|ulimit|umask|unset)(?:\s|$))([\w./@%+-]+(?:\s[^;&|()<>`\n]*)?)$/;

/**
 * logTail, logHead and quietMs are a Log's.
 * @typedef {Pick<ProcessGroup, 'pid' | 'exited' | 'hasExited' | 'stop'>
 *   & { logTail: Log['tail'], logHead: Log['head'], quietMs: Log['quietMs'] }} Group
 */

/**
 * @param {Command} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, uid?: number, gid?: number }} options uid, gid: another user's
 * @returns {Promise<Group>}
 * @throws {Error} where the command cannot be started, with the system's code
 */
export async function startGroup(command, options) {
  const { child, pid, exited, hasExited, stop } = await startProcessGroup(argvOf(command), options);
  const { tail: logTail, head: logHead, quietMs } = keepLog([child.stdout, child.stderr]);
  return { pid, exited, hasExited, logTail, logHead, quietMs, stop };
}

/**
 * A shell that only waits for one program would stand between us and how that ends, and be measured with it; not every
 * shell (Debian's does not) makes way by itself.
 * @param {Command} command
 * @returns {string[]} a line goes to the shell, a vector to nobody
 */
function argvOf(command) {
  return typeof command === 'string' ? ['sh', '-c', command.replace(ONE_PROGRAM, '$1exec $2')] : command;
}
