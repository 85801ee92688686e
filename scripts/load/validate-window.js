/**
 * What a load tool's report has to be before anything is made of it.
 * @import { LoadedWindow } from '../types.js'
 */

import { MeasureError } from '../model/errors.js';

/** No machine moves more requests, bytes or microseconds in a window. */
const LARGEST = 1e15;
const SHORTEST_SECONDS = 1e-6;

/**
 * @param {LoadedWindow} window as a tool's reader made it
 * @returns {LoadedWindow} the same
 * @throws {MeasureError} clock-stepped, where it ended before it began
 * @throws {Error} where a figure is missing, negative or none
 */
export function requireWindow(window) {
  const { seconds, requests, latencies } = window;
  if (seconds === undefined || requests === undefined) throw new Error('it lacks its time or its requests');
  if (seconds < 0)
    throw new MeasureError('clock-stepped', `the system clock was changed under load: it tells ${seconds} s`);
  if (seconds < SHORTEST_SECONDS || seconds > 1e9) throw new Error(`it tells ${seconds} seconds`);
  if (latencies && latencies.us.length !== latencies.counts.length)
    throw new Error('it does not count every latency');
  const { thresholdsMissed: _, ...figures } = window;
  const wrong = figuresIn(figures).find(([, value]) => !isFigure(value));
  if (wrong) throw new Error(`it tells ${wrong[1]} as its ${wrong[0]}`);
  return window;
}

/**
 * @param {object} record
 * @param {string} [prefix]
 * @returns {[name: string, value: unknown][]} of all that it tells
 */
function figuresIn(record, prefix = '') {
  return Object.entries(record).flatMap(([name, value]) =>
    // Figures lie in the window's records and in the lists of its latencies; what lies deeper is none.
    value instanceof Object && (prefix === '' || prefix === 'latencies.')
      ? figuresIn(value, `${prefix}${name}.`)
      : value === undefined && !Array.isArray(record)
        ? []
        : [[`${prefix}${name}`, value]],
  );
}

/** @param {unknown} value */
function isFigure(value) {
  return typeof value === 'number' && value >= 0 && value <= LARGEST;
}
