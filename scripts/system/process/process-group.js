/**
 * Child processes as whole groups: whatever a child starts is ended with it. Where the machine can supervise, that holds for
 * daemons too, and however this process ends.
 * @import { ChildProcess } from 'node:child_process'
 * @import { Readable } from 'node:stream'
 * @import { Supervision } from './supervisor.js'
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { getSystemErrorName } from 'node:util';
import { allowedEnvironment } from './environment.js';
import { runningInGroup } from './proc.js';
import { supervised, supervisorEnvironment } from './supervisor.js';

/** How long a group may take to end by itself before it is killed. */
const GRACE_MS = 3000;
const POLL_MS = 20;
const FLUSH_MS = 200;

/**
 * pid: the group's id; ancestor: the process that all of it descends from, daemons too where it is supervised; exited, hasExited: of the first process; left: names of the processes that outlived it and were ended,
 * known when it has exited; loose: what containing it lacks on this machine; kill: at once; stop: politely first. Both end the
 * whole group and may be called again.
 * @typedef {{
 *   pid: number,
 *   ancestor: number,
 *   child: ChildProcess,
 *   exited: Promise<{ code: number | null, signal: NodeJS.Signals | null }>,
 *   hasExited: () => boolean,
 *   left: () => string[],
 *   loose: string | undefined,
 *   kill: () => Promise<void>,
 *   stop: () => Promise<void>,
 * }} ProcessGroup
 * env: what any program may need, where not given; uid, gid: another user's; ipc: opens a channel for messages; inherit: prints where this process prints
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, uid?: number, gid?: number, ipc?: boolean, inherit?: boolean }
 *   & Supervision} Options
 */

/**
 * @param {string[]} command
 * @param {Options} [options]
 * @returns {Promise<ProcessGroup>}
 * @throws {Error} where the command cannot be started, with the system's code
 */
export async function startProcessGroup(
  command,
  { ipc, inherit, contained, scratch, env = allowedEnvironment(process.env), ...options } = {},
) {
  const line = supervised(command, { ...(contained && { contained }), ...(scratch && { scratch }) });
  const [file = '', ...args] = line ?? command;
  const output = inherit ? 'inherit' : 'pipe';
  const child = spawn(file, args, {
    ...options,
    env: line ? supervisorEnvironment(env) : env,
    detached: true,
    stdio: [
      'ignore',
      output,
      output,
      line ? 'pipe' : 'ignore',
      ...(ipc ? [/** @type {const} */ ('ipc')] : []),
    ],
  });
  const exited = endOf(child);
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  /** @type {string[]} */
  const left = [];
  const { pid, loose } = line
    ? await startedBy(child, command, left)
    : { pid: /** @type {number} */ (child.pid), loose: contained ? 'perl' : undefined };
  /** @type {Promise<void> | undefined} */
  let stopped;
  const end = async (/** @type {NodeJS.Signals[]} */ signals) => {
    // Awaited from here on: with nothing else to do, this process would end first, with exit code 13.
    child.ref();
    await endWith(signals, {
      isAlive: () => isGroupAlive(pid, child.pid),
      send: (signal) => process.kill(-pid, signal),
    });
    // So that whoever asks next hears that it exited; bounded, as nothing ends a process that hangs in the kernel.
    await Promise.race([exited, sleep(GRACE_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  return {
    pid,
    ancestor: /** @type {number} */ (child.pid),
    child,
    exited,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    left: () => left,
    loose,
    kill: () => (stopped ??= end(['SIGKILL'])),
    stop: () => (stopped ??= end(['SIGTERM', 'SIGKILL'])),
  };
}

/**
 * @param {ChildProcess} child the supervisor
 * @param {string[]} command
 * @param {string[]} left gets what it says later
 * @returns {Promise<{ pid: number, loose: string | undefined }>} pid: of the command
 */
function startedBy(child, [file = ''], left) {
  const told = /** @type {Readable & { unref: () => void }} */ (child.stdio[3]);
  /** @type {string | undefined} */
  let loose;
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: told });
    lines.on('line', (line) => {
      const [word, ...rest] = line.split(' ');
      if (word === 'loose') loose = rest.join(' ');
      if (word === 'left') left.push(...rest);
      if (word === 'started') resolve({ pid: Number(rest[0]), loose });
      if (word === 'failed') {
        const code = getSystemErrorName(-Number(rest[0]));
        reject(
          Object.assign(new Error(`spawn ${file} ${code}`), { code, path: file, syscall: `spawn ${file}` }),
        );
      }
    });
    lines.on('close', () => reject(new Error(`${file} could not be supervised`)));
    told.unref();
  });
}

/**
 * Sends each signal in turn, and waits for its effect.
 * @param {NodeJS.Signals[]} signals
 * @param {{ isAlive: () => boolean, send: (signal: NodeJS.Signals) => void, graceMs?: number }} what
 */
async function endWith(signals, { isAlive, send, graceMs = GRACE_MS }) {
  for (const signal of signals) {
    if (!isAlive()) return;
    try {
      send(signal);
    } catch (error) {
      // It ended between the look and the signal.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
    }
    for (let waited = 0; waited < graceMs && isAlive(); waited += POLL_MS) await sleep(POLL_MS);
  }
}

/**
 * A process that is dead but not yet reaped keeps its group's id in use, for ever where the first process of a
 * container reaps nobody (the job containers of CI); it holds nothing else, so it does not count.
 * @param {number} group the process group's id
 * @param {number} [session] of what was detached: ids are reused, and no stranger's group is in its session
 * @returns {boolean}
 */
export function isGroupAlive(group, session) {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  return runningInGroup(group, session).length > 0;
}

/**
 * The output is usually read to its end by then; a child left in the background may hold it open for ever.
 * @param {ChildProcess} child
 * @returns {ProcessGroup['exited']}
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
