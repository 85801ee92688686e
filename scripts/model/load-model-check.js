/**
 * What a load promises, and whether a measurement kept it. Closed: every connection waits for its answer, so that latency times
 * throughput is the number of connections (Little's law). Open: so many requests a second, whatever the server does. Pure.
 * @import { Load, Trial } from '../types.js'
 */

/** Of the rate; the rest is what a window's ends cut off. */
export const HELD = 0.97;
/** Of the connections; windows of a second begin and end with requests that nobody counts. */
export const TOLERANCE = 0.25;

/**
 * @param {Partial<Load>} load
 * @returns {boolean} whether requests are sent at a rate, and not as fast as they are answered
 */
export function isOpen({ rate }) {
  return rate !== undefined;
}

/**
 * @param {Trial[]} trials
 * @param {Partial<Load>} load
 * @returns {number | undefined} requests a second, where that is clearly less than what was asked for
 */
export function missedRate(trials, { rate }) {
  if (rate === undefined) return undefined;
  const { requests, seconds, windows } = totalOf(trials);
  return seconds > 0 && requests < HELD * rate * seconds - windows ? requests / seconds : undefined;
}

/**
 * @param {Trial[]} trials
 * @param {Partial<Load>} load
 * @param {number} stepMs in which the tool counts latencies
 * @returns {number | undefined} requests that were under way at once, where that is clearly another number than the connections
 */
export function imbalance(trials, { connections, keepAlive, pipelining = 1, rate }, stepMs) {
  if (connections === undefined || rate !== undefined || keepAlive === false || pipelining > 1)
    return undefined;
  const { requests, seconds, windows, latencySeconds } = totalOf(trials);
  if (latencySeconds === undefined || seconds === 0) return undefined;
  const atOnce = latencySeconds / seconds;
  const step = (requests * stepMs) / 1000 / seconds;
  // Those that a window's end cuts off took their time, and are not counted.
  const cutOff = (windows * connections * (latencySeconds / requests)) / seconds;
  const isLow = atOnce + step + cutOff < (1 - TOLERANCE) * connections;
  const isHigh = atOnce - step > (1 + TOLERANCE) * connections;
  return isLow || isHigh ? atOnce : undefined;
}

/** @param {Trial[]} trials latencySeconds: of all requests together; undefined where a window does not tell its mean */
function totalOf(trials) {
  const windows = trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
  const total = { requests: 0, seconds: 0, latency: 0 };
  let isWhole = true;
  for (const { requests, seconds, latencyMs } of windows) {
    total.requests += requests;
    total.seconds += seconds;
    if (latencyMs?.avg === undefined) isWhole = false;
    else total.latency += (requests * latencyMs.avg) / 1000;
  }
  const { requests, seconds, latency } = total;
  return {
    ...{ requests, seconds, windows: windows.length },
    latencySeconds: isWhole && requests > 0 ? latency : undefined,
  };
}
