/**
 * Process, first answer, databases and client of a service.
 * @import { FailureKind } from '../../types.js'
 * @import { Group } from '../process/logged-process.js'
 * @import { Statements } from './statements.js'
 */

import { execFile, spawn } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { allowedEnvironment } from '../../system/process/allowed-environment.js';
import { MeasureError } from '../../model/errors.js';
import { startGroup } from '../process/logged-process.js';

/**
 * @typedef {{ uid: number, gid: number }} User
 *
 * @typedef {object} Start
 * @property {string} program its path
 * @property {string} folder for its data
 * @property {number} sides each gets separate data
 * @property {(command: string[], user?: User) => Promise<Group>} startProgram in that folder
 * @property {boolean} [isCounting] whether it counts statements although that costs something
 * @property {AbortSignal} signal
 *
 * @typedef {object} Started
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
 * @type {(program: string, args: string[], options: { signal: AbortSignal, timeout?: number, cwd?: string } &
 *   Partial<User>) => Promise<{ stdout: string, stderr: string }>}
 */
export function run(program, args, { timeout = STEP_MS, ...options }) {
  const env = allowedEnvironment(process.env);
  return promisify(execFile)(program, args, { ...options, timeout, killSignal: 'SIGKILL', env });
}

/**
 * Starts a program that gets nothing but a PATH, in the folder of its data.
 * @type {(command: string[], folder: string, user?: User) => Promise<Group>}
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

/** @param {number} side */
export function databaseOf(side) {
  return `side_${side}`;
}

/**
 * Databases refuse to run as root, so root gives their folder to the package's user of that name. Undefined
 * unless this process runs as root.
 * @type {(folder: string, name: string, signal: AbortSignal) => Promise<User | undefined>}
 */
export async function ownerOf(folder, name, signal) {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (/** @type {string} */ flag) =>
    Number((await run('id', [flag, name], { signal })).stdout);
  const user = { uid: await idOf('-u'), gid: await idOf('-g') };
  await chown(folder, user.uid, user.gid);
  return user;
}

/**
 * A service's own client, which stays open: a crowded machine takes tenths of a second to start one. Returns
 * what asks it, one question at a time, for the lines that it prints before an empty one. That rejects once
 * the client has ended, as with the signal, with a MeasureError: service-failed, cancelled.
 * @type {(program: string, args: string[], options: { signal: AbortSignal }) =>
 *   (question: string) => Promise<string[]>}
 */
export function keepClient(program, args, { signal }) {
  const env = allowedEnvironment(process.env);
  const client = spawn(program, args, { env, signal, killSignal: 'SIGKILL' });
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
  const closed = new Promise((resolve) => client.once('close', resolve));
  let complaint = '';
  client.on('error', ({ message }) => (complaint += message));
  client.stderr.on('data', (text) => (complaint += text));
  // Its answer, which does not come, says why.
  client.stdin.on('error', () => {});
  const answerTo = async (/** @type {string} */ question) => {
    const late = setTimeout(() => client.kill('SIGKILL'), STEP_MS);
    const answer = [];
    try {
      client.stdin.write(`${question}\n`);
      for (let line = await lines.next(); line.value !== ''; line = await lines.next()) {
        if (line.done) {
          await closed;
          const kind = signal.aborted ? 'cancelled' : 'service-failed';
          throw new MeasureError(kind, `${program} ended: ${complaint}`);
        }
        answer.push(line.value);
      }
      return answer;
    } finally {
      clearTimeout(late);
    }
  };
  /** @type {Promise<string[]>} */
  let last = Promise.resolve([]);
  return (question) => (last = last.then(() => answerTo(question)));
}
