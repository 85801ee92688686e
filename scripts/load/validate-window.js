/** @import { LoadedWindow } from '../types.js' */

import { MeasureError } from '../model/errors.js';

/** No machine moves more requests, bytes or microseconds in a window. */
const LARGEST = 1e15;
const SHORTEST_SECONDS = 1e-6;
const LONGEST_SECONDS = 1e9;

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
