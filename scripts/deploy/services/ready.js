/** Process, first answer and databases of a service. @import { FailureKind } from '../../types.js' */
/** @import { Group } from '../process/logged-process.js' */
/** @import { Statements } from './statements.js' */

import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { allowedEnvironment } from '../../system/process/allowed-environment.js';
import { MeasureError } from '../../model/errors.js';
import { startGroup } from '../process/logged-process.js';

/**
 * @typedef {object} Start
 * @property {string} program its path
 * @property {string} folder for its data
 * @property {number} sides each gets separate data
 * @property {boolean} [isCounting] whether it counts statements although that costs something
 * @property {AbortSignal} signal
 *
 * @typedef {object} Started
 * @property {Group[]} groups
 * @property {(side: number) => string} urlOf
 * @property {(side: number) => Promise<Statements | undefined>} [statementsOf] what a side asked so far;
 *   undefined where its counters have overflown
 */

const READY_MS = 20_000;
/** A service may accept a connection and never answer. */
const QUESTION_MS = 2000;
/** On a slow disk, creating a database's files takes long. */
const STEP_MS = 60_000;
const SERVICE_POLL_MS = 50;

/**
 * Rejects if the program fails or takes longer than `timeout` in milliseconds.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, uid?: number, gid?: number, signal: AbortSignal, timeout?: number,
 *   maxBuffer?: number }} options
 */
export function run(program, args, { timeout = STEP_MS, ...options }) {
  const env = allowedEnvironment(process.env);
  return promisify(execFile)(program, args, { ...options, timeout, killSignal: 'SIGKILL', env });
}

/**
 * Starts a program that gets nothing but a PATH, in the folder of its data.
 * @type {(command: string[], folder: string, user?: { uid: number, gid: number }) => Promise<Group>}
 */
export function startService(command, folder, user) {
  const env = { PATH: process.env.PATH };
  return startGroup(command, { cwd: folder, scratch: folder, env, ...user });
}

/**
 * @param {Group} group
 * @param {AbortSignal} signal
 * @param {(options: { signal: AbortSignal, timeout: number }) => Promise<unknown>} ask rejects until ready
 * @throws {MeasureError} after stopping the group
 */
export async function untilServiceAnswers(group, signal, ask) {
  const end = performance.now() + READY_MS;
  /** @type {[FailureKind, string] | undefined} */
  let problem;
  while (!problem) {
    const ready = ask({ signal, timeout: QUESTION_MS });
    if (await ready.then(() => true).catch(() => false)) return;
    if (signal.aborted) problem = ['cancelled', 'cancelled while it started'];
    else if (group.hasExited()) problem = ['service-failed', 'exited during startup'];
    else if (performance.now() > end) problem = ['service-failed', `not ready after ${READY_MS / 1000} s`];
    else await sleep(SERVICE_POLL_MS);
  }
  await group.stop();
  throw new MeasureError(...problem, group.logTail());
}

/**
 * Stops the group if a database cannot be created.
 * @type {(group: Group, sides: number, create: (name: string) => Promise<unknown>) => Promise<void>}
 */
export async function createDatabases(group, sides, create) {
  try {
    for (let side = 0; side < sides; side++) await create(databaseOf(side));
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/** @param {number} side */
export function databaseOf(side) {
  return `side_${side}`;
}

/**
 * Databases refuse to run as root, so root gives their folder to the package's user of that name. Undefined
 * unless this process runs as root.
 * @type {(folder: string, name: string, signal: AbortSignal) =>
 *   Promise<{ uid: number, gid: number } | undefined>}
 */
export async function ownerOf(folder, name, signal) {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (/** @type {string} */ flag) =>
    Number((await run('id', [flag, name], { signal })).stdout);
  const user = { uid: await idOf('-u'), gid: await idOf('-g') };
  await chown(folder, user.uid, user.gid);
  return user;
}
