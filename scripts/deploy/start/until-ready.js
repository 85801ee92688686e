/** @import { Server } from '../../types.js' */
/** @import { Group } from '../process/logged-process.js' */

import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../../model/errors.js';
import { readRunTimes, runningInGroup } from '../../system/process/proc.js';
import { shellLine } from '../../system/process/shell.js';
import { askStatus, LONGEST_MS, otherProtocol } from './ask.js';
import { isStolen, listenersOf } from './listening.js';
import { exitedAtStart, portTakenError, takenPort, whyClosed } from './startup-errors.js';

const POLL_MS = 20;
/** Reading all processes is expensive. */
const LOOK_MS = 250;
/** Other ports count if PORT stays closed for this long. */
const SETTLED_MS = 1000;
/** A wrong answer on another port, or a failure where any answer will do, is final after this time. */
const ANSWERED_MS = 5000;
/** A server that waits uses almost nothing of a core, one that works at least this share. */
const WORKING = { windowMs: 500, share: 0.25 };
const KEPT_HTTP =
  'it answers HTTP where HTTPS was asked for: only servers made by node:http can be switched to HTTPS; use proxy: https+nginx';
/** A working server may take this many times the manifest's timeout. */
const PATIENCE = 4;

/**
 * A server that does not answer within `questionMs` and does not work on it is asked again, and has twice as
 * long each time, until the manifest's timeout.
 * @type {{ now: () => number, sleep: (ms: number) => Promise<unknown>, questionMs: number }}
 */
const CLOCK = { now: () => performance.now(), sleep, questionMs: 2000 };

/** @typedef {(port: number, isSecure?: boolean) => ReturnType<typeof askStatus>} Ask */

/**
 * Waits until a server answers, on its PORT or on another one.
 * @param {Server} server
 * @param {Group} group its processes
 * @param {{ port: number, startedAt: number, signal: AbortSignal, isSecure?: boolean, clock?: typeof CLOCK }}
 *   options isSecure: it should speak TLS
 * @returns {Promise<number>} the port where it answers
 * @throws {MeasureError} exited-at-start, port-taken, never-ready, too-slow, cancelled
 */
export async function untilReady(server, group, options) {
  const { port, startedAt, signal, isSecure = false, clock = CLOCK } = options;
  const { start, ready } = server;
  const { path, timeoutSeconds } = ready;
  const isWorking = watchWork(group.pid, clock.now);
  let timeout = clock.questionMs;
  /** @type {Ask} */
  const ask = (port, secure = isSecure) =>
    askStatus({ port, path, isSecure: secure }, { signal, timeout, isWorking });
  const elsewhere = lookElsewhere(server, group, { port, ask, isSecure, isWorking, now: clock.now });
  let lastAnswer = '';
  /** Whether the server ended the last connection without an answer. */
  let isCut = false;
  const waitedMs = () => clock.now() - startedAt;
  const isWithin = (/** @type {number} */ times) => waitedMs() < times * timeoutSeconds * 1000;
  while (isWithin(1) || (isWithin(PATIENCE) && isWorking())) {
    isWorking();
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled while it started');
    const answer = await ask(port);
    isCut = answer === 'ECONNREFUSED' ? isCut : typeof answer === 'string' && !answer.startsWith('waited');
    if (group.hasExited()) throw await exitedAtStart(start, group, isCut ? path : undefined);
    if (typeof answer !== 'string' && (answer.status < 500 || (ready.isAny && waitedMs() > ANSWERED_MS))) {
      if (!isStolen(port, group)) return port;
      const what = `another program answers in place of \`${shellLine(start)}\``;
      throw portTakenError({ line: '', port }, what, group);
    }
    if (answer === 'ECONNREFUSED') {
      const otherPort = await elsewhere();
      if (otherPort !== undefined) return otherPort;
    } else if (!signal.aborted) {
      lastAnswer = await describeAnswer(answer, port, { ask, isSecure });
      timeout = Math.min(LONGEST_MS, 2 * timeout);
    }
    await clock.sleep(POLL_MS);
  }
  const seconds = Math.floor(waitedMs() / 1000);
  const longer =
    seconds > timeoutSeconds ? ` (\`ready.timeout\` is ${timeoutSeconds} s; it was still working)` : '';
  const why = lastAnswer || whyClosed(group, { port, waitedMs: waitedMs() });
  const message = `not ready after ${seconds} s${longer} at GET ${path} on port ${port}: ${why}`;
  throw new MeasureError(isWithin(PATIENCE) ? 'never-ready' : 'too-slow', message, group.logTail());
}

/**
 * @param {Awaited<ReturnType<Ask>>} answer
 * @param {number} port
 * @param {{ ask: Ask, isSecure: boolean }} context
 * @throws {MeasureError} if waiting longer cannot help
 */
async function describeAnswer(answer, port, { ask, isSecure }) {
  if (typeof answer !== 'string') return `it answered ${answer.status}${answer.reason}`;
  if (!answer.startsWith('waited')) {
    const speaksPlain = isSecure && typeof (await ask(port, false)) !== 'string';
    const spoken = isSecure ? speaksPlain && KEPT_HTTP : await otherProtocol(port);
    if (spoken) throw new MeasureError('never-ready', spoken);
  }
  return `it accepted the connection but sent no HTTP response (${answer})`;
}

/**
 * Finds a server that ignores PORT among the sockets of its own processes: no other program's answer counts.
 * @param {Server} server
 * @param {Group} group
 * @param {{ port: number, ask: Ask, isSecure: boolean, isWorking: () => boolean, now: () => number }} context
 * @throws {MeasureError} port-taken, never-ready
 */
function lookElsewhere({ start, ready, routes }, group, { port, ask, isSecure, isWorking, now }) {
  const expected = routes.find(({ path, method }) => method === 'GET' && path === ready.path)?.expect.status;
  let lookedAt = -Infinity;
  /** @type {number | undefined} */
  let since;
  return async () => {
    const time = now();
    if (time - lookedAt < LOOK_MS) return undefined;
    lookedAt = time;
    const open = listenersOf(group.pid);
    const taken = open.length === 0 ? takenPort(group) : undefined;
    const candidates = open.filter((listener) => listener.port !== port && listener.isReachable);
    if (candidates.length === 0 && taken === undefined) {
      since = undefined;
      return undefined;
    }
    since ??= time;
    if (time - since < SETTLED_MS) return undefined;
    if (taken !== undefined)
      throw portTakenError(taken, `\`${shellLine(start)}\` keeps running without its port`, group);
    for (const candidate of new Set(candidates.map((listener) => listener.port))) {
      const answer = await ask(candidate);
      if (typeof answer === 'string') {
        if (answer !== 'ECONNREFUSED') await describeAnswer(answer, candidate, { ask, isSecure });
      } else if (answer.status < 400 || answer.status === expected || ready.isAny) return candidate;
      else if (time - since > ANSWERED_MS && !isWorking())
        throw new MeasureError(
          'never-ready',
          `it listens on port ${candidate} instead of PORT, and answers GET ${ready.path} with ${answer.status}${answer.reason}: correct \`ready.path\` and the routes, or make it listen on PORT from its environment`,
          group.logTail(),
        );
    }
    return undefined;
  };
}

/**
 * Recognizes a server that does not answer yet, but is still working. Called repeatedly, it returns whether
 * processes of the group (its id) ran, or waited for a processor, in the last half second; on a crowded
 * machine they mostly wait.
 * @type {(group: number, now: () => number) => () => boolean}
 */
function watchWork(group, now) {
  const readSeconds = () => runningInGroup(group).reduce((sum, pid) => sum + readRunTimes(pid), 0);
  let time = now();
  let seconds = readSeconds();
  let isWorking = false;
  return () => {
    const passedMs = now() - time;
    if (passedMs >= WORKING.windowMs) {
      const next = readSeconds();
      isWorking = next - seconds > (WORKING.share * passedMs) / 1000;
      time += passedMs;
      seconds = next;
    }
    return isWorking;
  };
}
