/**
 * Percentiles of all requests of many windows and starts. The mean of the windows' percentiles would not do:
 * the slowest hundredth of all requests may lie in one window.
 * @import { Latencies, LatencyMs } from '../types.js'
 */

import { bisectLeft, cumsum, rollups, sum } from 'd3-array';

/** Significant digits of a latency: enough for a report, and run files stay small. */
const DIGITS = 3;

/** In hundredths of a percent, which are whole numbers. @type {[keyof LatencyMs, number][]} */
export const PERCENTILES = [
  ['p2_5', 250],
  ['p50', 5000],
  ['p75', 7500],
  ['p90', 9000],
  ['p95', 9500],
  ['p97_5', 9750],
  ['p99', 9900],
  ['p99_9', 9990],
];

/**
 * @param {(Latencies | undefined)[]} all
 * @returns {Latencies | undefined} to three digits; undefined where one is missing, or all are empty
 */
export function mergeLatencies(all) {
  const known = all.filter((latencies) => latencies !== undefined);
  if (known.length < all.length) return undefined;
  const entries = known
    .flatMap(({ us, counts }) => us.map((value, index) => ({ value, count: counts[index] ?? 0 })))
    .filter(({ count }) => count > 0);
  if (entries.length === 0) return undefined;
  const merged = rollups(
    entries,
    (alike) => sum(alike, ({ count }) => count),
    ({ value }) => Number(value.toPrecision(DIGITS)),
  ).sort(([a], [b]) => a - b);
  return { us: merged.map(([us]) => us), counts: merged.map(([, count]) => count) };
}

/**
 * The standard deviation, and percentiles: what so many percent of the requests did not exceed.
 * @type {(latencies: Latencies) => LatencyMs}
 */
export function latencyMsOf({ us, counts }) {
  const count = sum(counts);
  const meanOf = (/** @type {(value: number) => number} */ term) =>
    sum(us, (value, index) => term(value) * (counts[index] ?? 0)) / count;
  const avg = meanOf((value) => value);
  /** @type {LatencyMs} */
  const latencyMs = { stdev: Math.sqrt(meanOf((value) => (value - avg) ** 2)) / 1000 };
  const reached = cumsum(counts);
  for (const [name, rank] of PERCENTILES)
    latencyMs[name] = (us[bisectLeft(reached, (rank * count) / 10_000)] ?? 0) / 1000;
  return latencyMs;
}
