/**
 * Starts a child process as a group that ends as a whole. Where this machine can supervise, that includes
 * daemons, and a killed engine ends it too.
 * @import { ChildProcess } from 'node:child_process'
 * @import { Readable } from 'node:stream'
 * @import { Supervision } from './supervisor.js'
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { getSystemErrorName } from 'node:util';
import { allowedEnvironment } from './allowed-environment.js';
import { runningInGroup } from './proc.js';
import { environmentText, supervised } from './supervisor.js';

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 3000;
const POLL_MS = 20;
const FLUSH_MS = 1000;

/**
 * @typedef {object} ProcessGroup
 * @property {number} pid the group's id
 * @property {number} ancestor the process that all of the group descend from, also daemons if supervised
 * @property {ChildProcess} child
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} exited of the first process
 * @property {() => boolean} hasExited of the first process
 * @property {() => string[]} left names of the processes that outlived it and were ended, once it has exited
 * @property {() => boolean} isEmpty no process or daemon is left, once it exited; false if nobody can tell
 * @property {string[]} loose the parts of containing it that this machine lacks
 * @property {(signal: NodeJS.Signals) => void} signal sends it to the group, if it still runs
 * @property {() => Promise<void>} kill ends the whole group at once, daemons included
 * @property {() => Promise<void>} stop ends the whole group, politely first; both may be called again
 *
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] absent: what any program may need
 * @property {number} [uid] another user's
 * @property {number} [gid]
 * @property {boolean} [ipc] opens a channel for messages
 */

/**
 * @param {string[]} command
 * @param {Options & Supervision} [options]
 * @returns {Promise<ProcessGroup>}
 * @throws {Error} if the command cannot be started, with the system's code
 */
export async function startProcessGroup(
  command,
  { ipc, contained, apart, scratch, env = allowedEnvironment(process.env), ...options } = {},
) {
  const line = supervised(command, { contained, apart, scratch });
  const [file = '', ...args] = line ?? command;
  const channel = line ? 'pipe' : 'ignore';
  /** @type {('pipe' | 'ignore' | 'ipc')[]} */
  const stdio = [channel, 'pipe', 'pipe', contained ? 'ignore' : channel];
  if (ipc) stdio.push('ipc');
  const child = spawn(file, args, { ...options, env: line ? {} : env, detached: true, stdio });
  // A supervisor that ended reads nothing.
  child.stdin?.on('error', () => {}).write(environmentText(env));
  const exited = endOf(child);
  const place = contained ? 1 : 3;
  // Node drops what a child printed that ended before anybody listened to it.
  const printed = [child.stdout, child.stderr].filter((stream) => stream !== child.stdio[place]);
  for (const stream of printed) stream?.on('readable', () => {});
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const ancestor = /** @type {number} */ (child.pid);
  const end = { left: /** @type {string[]} */ ([]), isEmpty: false };
  const unsupervised = { pid: ancestor, loose: contained ? ['perl'] : [] };
  const { pid, loose } = line ? await startedBy(child.stdio[place], command, end) : unsupervised;
  for (const stream of printed) stream?.removeAllListeners('readable');
  /** @type {Promise<void> | undefined} */
  let stopped;
  const stopBy = async (/** @type {NodeJS.Signals[]} */ signals) => {
    // Without anything else to wait for, this process would end first, with exit code 13.
    child.ref();
    for (const signal of signals) {
      send(signal, pid, ancestor);
      for (let waited = 0; waited < GRACE_MS && isGroupAlive(pid, ancestor); waited += POLL_MS)
        await sleep(POLL_MS);
    }
    // Nothing ends a process that hangs in the kernel.
    await Promise.race([exited, sleep(GRACE_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  return {
    ...{ pid, ancestor, child, exited, loose },
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    left: () => end.left,
    isEmpty: () => end.isEmpty,
    signal: (signal) => send(signal, pid, ancestor),
    kill: () => {
      // As if the engine had died.
      child.stdin?.destroy();
      return (stopped ??= stopBy(['SIGKILL']));
    },
    stop: () => (stopped ??= stopBy(['SIGTERM', 'SIGKILL'])),
  };
}

/**
 * @param {ChildProcess['stdio'][number] | undefined} channel of the supervisor
 * @param {string[]} command
 * @param {{ left: string[], isEmpty: boolean }} end is filled when the command has ended
 * @returns {Promise<{ pid: number, loose: string[] }>} pid: of the command
 */
function startedBy(channel, [file = ''], end) {
  const input = /** @type {Readable & { unref: () => void }} */ (channel);
  /** @type {string[]} */
  const loose = [];
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input });
    lines.on('line', (line) => {
      const [word, ...rest] = line.split(' ');
      if (word === 'loose') loose.push(rest.join(' '));
      if (word === 'left') end.left.push(...rest);
      if (word === 'empty') end.isEmpty = true;
      if (word === 'started') resolve({ pid: Number(rest[0]), loose });
      if (word === 'failed') {
        const code = getSystemErrorName(-Number(rest[0]));
        const error = new Error(`spawn ${file} ${code}`);
        reject(Object.assign(error, { code, path: file, syscall: `spawn ${file}` }));
      }
    });
    lines.on('close', () => reject(new Error(`${file} could not be supervised`)));
    input.unref();
  });
}

/** @type {(signal: NodeJS.Signals, group: number, session: number) => void} */
function send(signal, group, session) {
  if (!isGroupAlive(group, session)) return;
  try {
    process.kill(-group, signal);
  } catch (error) {
    // It may end just before the signal.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * A dead process that is not reaped yet does not count: in containers whose first process reaps nothing, it
 * stays for ever. The session distinguishes a group from a later one with the same id.
 * @type {(group: number, session?: number) => boolean}
 */
export function isGroupAlive(group, session) {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || runningInGroup(group, session).length > 0;
}

/** @param {ChildProcess} child */
function endOf(child) {
  // The output usually closes at once, but a child in the background may keep it open for ever.
  const closed = new Promise((resolve) => child.once('close', resolve));
  return new Promise((resolve) =>
    child.once('exit', async (code, signal) => {
      await Promise.race([closed, sleep(FLUSH_MS)]);
      resolve({ code, signal });
    }),
  );
}
