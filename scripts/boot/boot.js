/**
 * Starts a server on a free port and waits until it answers.
 * @import { Server } from '../types.js'
 */

import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../errors.js';
import { serverEnvironment } from './environment.js';
import { endEscaped } from './escaped.js';
import { portsOf } from './listening.js';
import { freePort, HOST } from './port.js';
import { commandLine, startGroup } from './process.js';

const POLL_MS = 20;
/** One question may take this long; a server that hangs on it is asked again until the manifest's timeout. */
const QUESTION_MS = 2000;

/** @typedef {import('./process.js').Group & { url: string, bootMs: number }} Instance */

/**
 * @param {Server} server installed and built
 * @param {{ signal: AbortSignal, services?: NodeJS.ProcessEnv | undefined }} options services: the addresses of what it needs
 * @returns {Promise<Instance>} bootMs: from the start of the process to its first answer
 * @throws {MeasureError} exited-at-boot, never-ready, cancelled; nothing is left running then
 */
export async function boot(server, { signal, services = {} }) {
  const port = await freePort();
  const env = { ...services, ...serverEnvironment(process.env, server), HOST, PORT: String(port) };
  const line = commandLine(server.start);
  const startedAt = performance.now();
  const group = await startGroup(server.start, { cwd: server.folder, env }).catch((error) => {
    throw new MeasureError('exited-at-boot', `\`${line}\` could not be started: ${error.message}`);
  });
  /** @type {Promise<void> | undefined} */
  let stopped;
  const stop = () => (stopped ??= stopAll(group, port));
  try {
    await untilReady(server, group, { port, startedAt, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...group, stop, url: `http://${HOST}:${port}`, bootMs: performance.now() - startedAt };
}

/**
 * @param {import('./process.js').Group} group
 * @param {number} port
 */
async function stopAll(group, port) {
  await group.stop();
  await endEscaped({ HOST, PORT: String(port) });
}

/**
 * @param {Server} server
 * @param {import('./process.js').Group} group
 * @param {{ port: number, startedAt: number, signal: AbortSignal }} options
 */
async function untilReady({ start, ready }, group, { port, startedAt, signal }) {
  let seen = '';
  while (performance.now() - startedAt < ready.timeoutSeconds * 1000) {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled during boot');
    const answer = await ask(port, ready.path, signal);
    if (group.hasExited()) throw await exitedAtBoot(start, group);
    if (typeof answer === 'number' && answer < 500) return;
    if (typeof answer === 'number') seen = `it answered ${answer}`;
    else if (answer !== 'ECONNREFUSED') seen = `it took the connection and gave no HTTP answer (${answer})`;
    await sleep(POLL_MS);
  }
  const message = `not ready after ${ready.timeoutSeconds} s at ${ready.path} on port ${port}: ${seen || whereInstead(group)}`;
  throw new MeasureError('never-ready', message, group.logTail());
}

/**
 * @param {Server['start']} start
 * @param {import('./process.js').Group} group
 */
async function exitedAtBoot(start, group) {
  const { code, signal } = await group.exited;
  const hint = code === 0 ? '; `start` must stay in the foreground' : '';
  const message = `\`${commandLine(start)}\` ended with ${code ?? signal}${hint}`;
  return new MeasureError('exited-at-boot', message, group.logTail());
}

/** @param {import('./process.js').Group} group */
function whereInstead({ pid }) {
  const ports = portsOf(pid);
  return ports.length === 0
    ? 'nothing listened there; does the server listen on PORT from its environment?'
    : `nothing listened there, but the server did on ${ports.join(' and ')}; make it listen on PORT from its environment`;
}

/**
 * @param {number} port
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<number | string>} the status, or why there is none
 */
function ask(port, path, signal) {
  return new Promise((resolve) => {
    const question = request(
      { host: HOST, port, path, agent: false, timeout: QUESTION_MS, signal },
      (answer) => {
        answer.resume();
        resolve(Number(answer.statusCode));
      },
    );
    question.on('timeout', () => question.destroy(new Error(`waited ${QUESTION_MS / 1000} s`)));
    question.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    question.end();
  });
}
