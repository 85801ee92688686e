/**
 * Waits until a server answers, on its PORT or on another one.
 * @import { Server } from '../../types.js'
 * @import { Group } from './logged-process.js'
 */

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../../model/errors.js';
import { shellLine } from '../../system/process/shell.js';
import { isStolen, listenersOf } from './listening.js';
import { HOST } from '../../system/free-port.js';
import { otherProtocol } from './protocol.js';
import { watchWork } from './work.js';
import { exitedAtBoot, portTaken, takenPort, whyClosed } from './startup-errors.js';

const POLL_MS = 20;
/** A server that does not answer in this time is asked again, until the manifest's timeout. */
const QUESTION_MS = 2000;
/** Reading all processes is expensive. */
const LOOK_MS = 250;
/** Other ports count if PORT stays closed for this long. */
const SETTLED_MS = 1000;
/** A wrong answer on another port is final after this time. */
const ANSWERED_MS = 5000;
/** A working server may take this many times the manifest's timeout. */
const PATIENCE = 4;

/**
 * @param {Server} server
 * @param {Group} group its processes
 * @param {{ port: number, startedAt: number, signal: AbortSignal, isSecure?: boolean }} options isSecure: it should speak TLS
 * @returns {Promise<number>} the port where it answers
 * @throws {MeasureError} exited-at-boot, port-taken, never-ready, cancelled
 */
export async function untilReady(server, group, { port, startedAt, signal, isSecure = false }) {
  const { start, ready } = server;
  const { path } = ready;
  const isWorking = watchWork(group.pid);
  const elsewhere = lookElsewhere(server, group, { port, signal, isSecure, isWorking });
  let seen = '';
  const waitedMs = () => performance.now() - startedAt;
  while (
    waitedMs() < ready.timeoutSeconds * 1000 ||
    (waitedMs() < PATIENCE * ready.timeoutSeconds * 1000 && isWorking())
  ) {
    isWorking();
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled during boot');
    const answer = await ask({ port, path, isSecure }, signal);
    if (group.hasExited()) throw await exitedAtBoot(start, group);
    if (typeof answer === 'number' && answer < 500) {
      if (!isStolen(port, group)) return port;
      throw portTaken({ line: '', port }, `\`${shellLine(start)}\` is not who answers`, group);
    }
    if (answer === 'ECONNREFUSED') {
      const otherPort = await elsewhere();
      if (otherPort !== undefined) return otherPort;
    } else seen = await describeAnswer(answer, { port, path, isSecure });
    await sleep(POLL_MS);
  }
  const seconds = Math.floor(waitedMs() / 1000);
  const isLonger = seconds > ready.timeoutSeconds;
  const message = `not ready after ${seconds} s${isLonger ? ` (\`ready.timeout\` is ${ready.timeoutSeconds} s; it was still working)` : ''} at ${ready.path} on port ${port}: `;
  throw new MeasureError(
    'never-ready',
    message + (seen || whyClosed(group, { port, waitedMs: waitedMs() })),
    group.logTail(),
  );
}

/** @typedef {{ port: number, path: string, isSecure: boolean }} Question */

/**
 * @param {number | string} answer
 * @param {Question} question
 * @throws {MeasureError} if waiting longer cannot help
 */
async function describeAnswer(answer, { port, path, isSecure }) {
  if (typeof answer === 'number') return `it answered ${answer}`;
  const spoken = answer.startsWith('waited')
    ? undefined
    : await (isSecure ? plainAnswer(port, path) : otherProtocol(port));
  if (spoken !== undefined) throw new MeasureError('never-ready', spoken);
  return `it accepted the connection but sent no HTTP response (${answer})`;
}

/**
 * @param {number} port
 * @param {string} path
 * @returns {Promise<string | undefined>} the message for a server that kept speaking HTTP
 */
async function plainAnswer(port, path) {
  const plain = await ask({ port, path, isSecure: false }, AbortSignal.timeout(QUESTION_MS));
  return typeof plain === 'number'
    ? 'it answers HTTP where HTTPS was asked for: only servers that node:http makes can be changed from outside; use proxy: https+nginx'
    : undefined;
}

/**
 * Finds a server that ignores PORT among the sockets of its own processes, so that no other program's answer counts.
 * @param {Server} server
 * @param {Group} group
 * @param {{ port: number, signal: AbortSignal, isSecure: boolean, isWorking: () => boolean }} options
 * @throws {MeasureError} port-taken, never-ready
 */
function lookElsewhere({ start, ready, routes }, group, { port, signal, isSecure, isWorking }) {
  const expected = routes.find(({ path, method }) => method === 'GET' && path === ready.path)?.expect.status;
  const isRight = (/** @type {number | string} */ answer) =>
    typeof answer === 'number' && (answer < 400 || answer === expected);
  let lookedAt = 0;
  /** @type {number | undefined} */
  let since;
  return async () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_MS) return undefined;
    lookedAt = now;
    const open = listenersOf(group.pid);
    const taken = open.length === 0 ? takenPort(group) : undefined;
    const candidates = open.filter((listener) => listener.port !== port && listener.isReachable);
    if (candidates.length === 0 && taken === undefined) {
      since = undefined;
      return undefined;
    }
    since ??= now;
    if (now - since < SETTLED_MS) return undefined;
    if (taken !== undefined)
      throw portTaken(taken, `\`${shellLine(start)}\` keeps running without its port`, group);
    for (const candidate of new Set(candidates.map((listener) => listener.port))) {
      const question = { port: candidate, path: ready.path, isSecure };
      const answer = await ask(question, signal);
      if (isRight(answer)) return candidate;
      if (typeof answer === 'string' && answer !== 'ECONNREFUSED') await describeAnswer(answer, question);
      if (typeof answer === 'number' && now - since > ANSWERED_MS && !isWorking())
        throw new MeasureError(
          'never-ready',
          `it listens on port ${candidate} instead of PORT, and answers ${answer} at ${ready.path}: correct \`ready.path\` and the routes, or make it listen on PORT from its environment`,
          group.logTail(),
        );
    }
    return undefined;
  };
}

/**
 * @param {Question} question
 * @param {AbortSignal} signal
 * @returns {Promise<number | string>} the status, or the error
 */
function ask({ port, path, isSecure }, signal) {
  const request = isSecure ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    // verify.js checks the certificate.
    const question = request(
      { host: HOST, port, path, agent: false, timeout: QUESTION_MS, signal, rejectUnauthorized: false },
      (answer) => {
        // The answer may be endless.
        const timer = setTimeout(() => question.destroy(), QUESTION_MS);
        answer.once('close', () => clearTimeout(timer)).resume();
        resolve(Number(answer.statusCode));
      },
    );
    question.on('timeout', () => question.destroy(new Error(`waited ${QUESTION_MS / 1000} s`)));
    question.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    question.end();
  });
}
