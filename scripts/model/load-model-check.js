/**
 * Checks whether a measurement kept the promise of its load. Closed: every connection waits for its answer,
 * so that latency times throughput is the number of requests on all connections (Little's law). Open: so many
 * requests a second, whatever the server does.
 * @import { Load, Trial } from '../types.js'
 */

import { min, sum } from 'd3-array';

/** This share of a rate counts as held: a window's ends cut off the rest. */
export const HELD = 0.97;
/** A share of the requests on connections. Windows of a second on two busy cores were off by up to 22 %. */
const TOLERANCE = 0.25;
/** A wait of so many seconds in a queue is worth a sentence. */
const LONG_SECONDS = 0.5;
/** So many connections keep a server busy, and twice as many as it works for at once. */
const ENOUGH = { least: 8, times: 2 };

/**
 * Requests a second, where that is clearly less than the rate.
 * @type {(trials: Trial[], load: Partial<Load>) => number | undefined}
 */
export function missedRate(trials, { rate }) {
  if (rate === undefined) return undefined;
  const { requests, seconds, windows } = totalsOf(trials);
  return seconds > 0 && requests < HELD * rate * seconds - windows ? requests / seconds : undefined;
}

/**
 * Returns the requests in flight, where they clearly are not as many as connections carry. stepMs: to which
 * the tool rounds latencies.
 * @type {(trials: Trial[], load: Partial<Load>, stepMs: number) => number | undefined}
 */
export function unexpectedInFlight(trials, { connections, keepAlive, pipelining = 1, rate }, stepMs) {
  if (connections === undefined || rate !== undefined || keepAlive === false) return undefined;
  const expected = connections * pipelining;
  const { requests, seconds, windows, latencySeconds } = totalsOf(trials);
  if (latencySeconds === undefined || seconds === 0) return undefined;
  const inFlight = latencySeconds / seconds;
  const rounding = (requests * stepMs) / 1000 / seconds;
  // Requests that the end of a window cuts off took time and are not counted.
  const cutOff = (windows * expected * (latencySeconds / requests)) / seconds;
  const isLow = inFlight + rounding + cutOff < (1 - TOLERANCE) * expected;
  const isHigh = inFlight - rounding > (1 + TOLERANCE) * expected;
  return isLow || isHigh ? inFlight : undefined;
}

/**
 * By Little's law a request waits for as long as the requests of all connections take. The fastest answer did
 * not wait, so throughput times its latency is what the server works on at once; what exceeds that only
 * waits. enough: connections with which the throughput is the same; undefined where the wait is short, or as
 * many connections are needed.
 * @type {(trials: Trial[], load: Partial<Load>) => { waitSeconds: number, enough: number } | undefined}
 */
export function longQueue(trials, { connections = 0, pipelining = 1, rate, script }) {
  const { requests, seconds, fastestMs } = totalsOf(trials);
  if (rate !== undefined || script !== undefined || fastestMs === undefined) return undefined;
  const waitSeconds = (connections * pipelining * seconds) / requests;
  const atWork = ((fastestMs / 1000) * requests) / seconds / pipelining;
  const enough = Math.max(ENOUGH.least, Math.ceil(ENOUGH.times * atWork));
  return waitSeconds < LONG_SECONDS || connections < ENOUGH.times * enough
    ? undefined
    : { waitSeconds, enough };
}

/** @param {Trial[]} trials */
function totalsOf(trials) {
  const windows = trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
  const hasMeans = windows.every(({ latencyMs }) => latencyMs?.avg !== undefined);
  const latencyMs = sum(windows, (window) => window.requests * (window.latencyMs?.avg ?? 0));
  const requests = sum(windows, (window) => window.requests);
  return {
    requests,
    seconds: sum(windows, ({ seconds }) => seconds),
    windows: windows.length,
    fastestMs: min(windows, (window) => window.latencyMs?.min),
    latencySeconds: hasMeans && requests > 0 ? latencyMs / 1000 : undefined,
  };
}
