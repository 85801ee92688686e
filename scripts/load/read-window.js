/**
 * What a load tool reports becomes a window, or is refused.
 * @import { LoadedWindow } from '../types.js'
 * @import { Target } from './tools.js'
 */

import { MeasureError } from '../model/errors.js';
import { latencyMsOf } from '../samples/latencies.js';
import { withStalls } from './stalls.js';
import { crashed } from './tool-process.js';

/** No machine moves more requests, bytes or microseconds in a window. */
const LARGEST = 1e15;
const SHORTEST_SECONDS = 1e-6;
const LONGEST_SECONDS = 1e9;

/**
 * @param {() => LoadedWindow} read throws on anything but the tool's report
 * @param {{ target: Target, tool: { stepMs?: number }, line: string, logTail: () => string[] }} run line: in words
 * @returns {LoadedWindow} with the percentiles of its latencies where the tool reports none, and with stalls
 * @throws {MeasureError} load-tool-crashed, clock-stepped
 */
export function readWindow(read, { target, tool, line, logTail }) {
  try {
    const window = requireWindow(read());
    const { latencies, latencyMs } = window;
    const isCounted = latencies && latencyMs?.p50 === undefined;
    const counted = isCounted && { latencyMs: { ...latencyMsOf(latencies), ...latencyMs } };
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
  const { thresholdsMissed: _, ...figures } = window;
  const wrong = figuresIn(figures).find(([, value]) => !isFigure(value));
  if (wrong) throw new Error(`it reports ${wrong[1]} as its ${wrong[0]}`);
  return window;
}

/** @param {object} record @returns {[name: string, value: unknown][]} of it, of its records and of its lists of latencies */
function figuresIn(record, prefix = '') {
  const isNested = prefix === '' || prefix === 'latencies.';
  return Object.entries(record).flatMap(([name, value]) => {
    if (value instanceof Object && isNested) return figuresIn(value, `${prefix}${name}.`);
    return value === undefined && !Array.isArray(record) ? [] : [[`${prefix}${name}`, value]];
  });
}

/** @param {unknown} value */
function isFigure(value) {
  return typeof value === 'number' && value >= 0 && value <= LARGEST;
}
