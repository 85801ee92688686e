/**
 * Child processes as whole groups: whatever a child starts is ended with it, and its last lines are kept.
 * @import { ChildProcess } from 'node:child_process'
 * @import { Command } from '../types.js'
 */

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGroupAlive } from './alive.js';
import { keepLog } from './log.js';

/** How long a group may take to end by itself before it is killed. */
const GRACE_MS = 3000;
const POLL_MS = 20;
const FLUSH_MS = 200;

/** One program with its arguments, perhaps after assignments, and no word that only a shell knows. */
const ONE_PROGRAM =
  /^\s*((?:[A-Za-z_]\w*=[^\s'"\\`]*\s+)*)(?!(?:[.:]|cd|command|eval|exec|exit|export|set|trap|ulimit|umask|unset)(?:\s|$))([\w./@%+-]+(?:\s[^;&|()<>`\n]*)?)$/;

/**
 * @typedef {{
 *   pid: number,
 *   exited: Promise<{ code: number | null, signal: NodeJS.Signals | null }>,
 *   hasExited: () => boolean,
 *   logTail: () => string[],
 *   logHead: () => string[],
 *   quietMs: () => number | undefined,
 *   stop: () => Promise<void>,
 * }} Group pid is the process group's id; exited and hasExited tell of the first process; logTail, logHead and quietMs are
 *   a Log's; stop ends them all and may be asked for again
 */

/**
 * @param {Command} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, uid?: number, gid?: number }} options uid, gid: another user's
 * @returns {Promise<Group>}
 * @throws {Error} where the command cannot be started, with the system's code
 */
export async function startGroup(command, options) {
  const [file = '', ...args] = argvOf(command);
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { tail: logTail, head: logHead, quietMs } = keepLog([child.stdout, child.stderr]);
  const exited = endOf(child);
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = /** @type {number} */ (child.pid);
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  /** @type {Promise<void> | undefined} */
  let stopped;
  // Once only: later the id may belong to a group of somebody else's.
  const stop = () => (stopped ??= stopGroup(pid, child, exited));
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

/**
 * The output is usually read to its end by then; a child left in the background may hold it open for ever.
 * @param {ChildProcess} child
 * @returns {Group['exited']}
 */
function endOf(child) {
  const closed = new Promise((resolve) => child.once('close', resolve));
  return new Promise((resolve) =>
    child.once('exit', async (code, signal) => {
      await Promise.race([closed, sleep(FLUSH_MS)]);
      resolve({ code, signal });
    }),
  );
}

/**
 * Ends the group also where its first process is gone and only its children live on.
 * @param {number} pid
 * @param {ChildProcess} child
 * @param {Group['exited']} exited
 */
async function stopGroup(pid, child, exited) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    if (!isGroupAlive(pid)) break;
    signalGroup(pid, signal);
    for (let waited = 0; waited < GRACE_MS && isGroupAlive(pid); waited += POLL_MS) await sleep(POLL_MS);
  }
  // So that whoever asks next hears that it exited; bounded, as nothing ends a process that hangs in the kernel.
  await Promise.race([exited, sleep(GRACE_MS, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It ended between the look and the signal.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
