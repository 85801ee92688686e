/**
 * What a load tool reports becomes a window, or is refused.
 *
 * Stalls are requests that were never answered. Some tools report how long requests waited that had no answer
 * when the window ended. For the others: in a closed loop a connection waits for an answer all the time, so
 * latencies that add up to little say that most connections waited for answers that never came.
 * @import { LoadedWindow } from '../types.js'
 * @import { Target } from './tools.js'
 */

import { max } from 'd3-array';
import { defined } from '../model/defined.js';
import { MeasureError } from '../model/errors.js';
import { latencyMsOf } from '../samples/latencies.js';
import { crashed } from './tool-process.js';

/** No machine moves more requests, bytes or microseconds in a window. */
const LARGEST = 1e15;
const SHORTEST_SECONDS = 1e-6;
const LONGEST_SECONDS = 1e9;
/** A request stalls when it waits for this share of the window, and this multiple of the mean answer. */
const STALLED = { window: 0.5, answers: 3 };
/** Clients pause between answers, and last requests are on their way: neither takes half of a window. */
const LEAST_SHARE = 0.5;
/** A server whose answers take a third of a window may just not have answered yet. */
const SLOW_SHARE = 1 / 3;

/**
 * Adds the percentiles of latencies where the tool reports none, and stalls.
 * @param {() => LoadedWindow} read throws on anything but the tool's report
 * @param {{ target: Target, tool: { stepMs?: number }, line: string, logTail: () => string[] }} run
 *   line: in words
 * @returns {LoadedWindow}
 * @throws {MeasureError} load-tool-crashed, clock-stepped
 */
export function readWindow(read, { target, tool, line, logTail }) {
  try {
    const window = requireWindow(read());
    const { latencies, latencyMs } = window;
    const isCounted = latencies && latencyMs?.p50 === undefined;
    const counted = isCounted && { latencyMs: { ...latencyMsOf(latencies), ...defined({ ...latencyMs }) } };
    return withStalls({ ...window, ...counted }, target, tool.stepMs);
  } catch (error) {
    if (error instanceof MeasureError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw crashed(`${line} printed no report that could be read: ${message}`, logTail());
  }
}

/**
 * Checks what a parser made of a load tool's report.
 * @param {LoadedWindow} window
 * @returns {LoadedWindow} the same
 * @throws {MeasureError} clock-stepped, where it ended before it began
 * @throws {Error} where a figure is missing, negative or not a number
 */
export function requireWindow(window) {
  const { seconds, requests, latencies } = window;
  if (seconds === undefined || requests === undefined) throw new Error('it lacks its time or its requests');
  if (seconds < 0)
    throw new MeasureError('clock-stepped', `the system clock was changed under load: it took ${seconds} s`);
  if (seconds < SHORTEST_SECONDS || seconds > LONGEST_SECONDS)
    throw new Error(`it reports ${seconds} seconds`);
  if (latencies && latencies.us.length !== latencies.counts.length)
    throw new Error('it does not count every latency');
  const { thresholdsMissed: _, outlasted: __, ...figures } = window;
  const isFigure = (/** @type {unknown} */ value) =>
    typeof value === 'number' && value >= 0 && value <= LARGEST;
  const wrong = figuresIn(figures).find(([, value]) => !isFigure(value));
  if (wrong) throw new Error(`it reports ${wrong[1]} as its ${wrong[0]}`);
  return window;
}

/** With those nested in it. @type {(record: object, prefix?: string) => [name: string, value: unknown][]} */
function figuresIn(record, prefix = '') {
  const isNested = prefix === '' || prefix === 'latencies.';
  return Object.entries(record).flatMap(([name, value]) => {
    if (value instanceof Object && isNested) return figuresIn(value, `${prefix}${name}.`);
    return value === undefined && !Array.isArray(record) ? [] : [[`${prefix}${name}`, value]];
  });
}

/**
 * Adds `errors.stalls` where requests stalled and `unanswered` where most had no answer, and takes
 * `unansweredMs` out. stepMs: in which the tool counts latencies.
 * @type {(window: LoadedWindow, target: Target, stepMs?: number) => LoadedWindow}
 */
export function withStalls({ unansweredMs, ...loaded }, target, stepMs = 0) {
  const unanswered = unansweredMs?.length ?? underWay(loaded, target);
  const window = { ...loaded, ...(unanswered > loaded.requests && { unanswered }) };
  const stalls = unansweredMs
    ? stalledOf(unansweredMs, window).length
    : silentConnections(window, target, stepMs) * target.load.pipelining;
  if (stalls === 0) return window;
  // Locust's window ends with the last answer, which may be its first.
  const longest = (max(unansweredMs ?? []) ?? 0) / 1000;
  const seconds = Math.max(window.seconds, Math.min(target.seconds, longest));
  return { ...window, seconds, errors: { ...window.errors, stalls } };
}

/** Requests under way at its end, if not counted. @type {(window: LoadedWindow, target: Target) => number} */
function underWay({ errors = {} }, { load, requests: asked }) {
  const isOpen = asked !== undefined || load.script !== undefined || load.rate !== undefined;
  return errors.stalls ?? (isOpen ? 0 : load.connections * load.pipelining);
}

/** @type {(waitsMs: number[], window: LoadedWindow) => number[]} */
function stalledOf(waitsMs, { seconds, latencyMs }) {
  const leastMs = Math.max(STALLED.window * seconds * 1000, STALLED.answers * (latencyMs?.avg ?? 0));
  return waitsMs.filter((ms) => ms >= leastMs);
}

/** 0 where nobody can know. @type {(window: LoadedWindow, target: Target, stepMs: number) => number} */
function silentConnections(window, { load, seconds: duration, requests: asked }, stepMs) {
  const { errors = {}, latencyMs, requests } = window;
  const { timeouts = 0, connect = 0, write = 0, resets = 0 } = errors;
  const isReported = 'stalls' in errors || timeouts + connect + write + resets > 0;
  if (isReported || load.script !== undefined || load.rate !== undefined) return 0;
  const seconds = asked === undefined ? duration : window.seconds;
  const answerMs = latencyMs?.avg ?? latencyMs?.max;
  const answerSeconds = answerMs === undefined ? 0 : (answerMs + stepMs / 2) / 1000;
  if (answerSeconds > SLOW_SHARE * seconds) return 0;
  // Pipelined requests of a connection share one wait.
  const waited = (requests / load.pipelining) * answerSeconds;
  const silentShare = 1 - waited / (load.connections * seconds);
  return silentShare < LEAST_SHARE ? 0 : Math.round(silentShare * load.connections);
}
