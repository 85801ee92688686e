/**
 * Percentiles of many windows and boots, from how many requests took how long. Means of percentiles are none: the slowest
 * hundredth of all requests may lie in one window.
 * @import { Latencies, LatencyMs } from '../types.js'
 */

/** Of 10.04 and 10.05 ms nobody wants to know, and a run file stays small. */
const DIGITS = 3;

/** In hundredths of a percent, which are whole numbers. @type {[keyof LatencyMs, number][]} */
const PERCENTILES = [
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
 * @returns {Latencies | undefined} to three digits; undefined where one is missing
 */
export function mergeLatencies(all) {
  /** @type {Map<number, number>} */
  const total = new Map();
  for (const latencies of all) {
    if (!latencies) return undefined;
    for (const [place, exact] of latencies.us.entries()) {
      const [us, count = 0] = [Number(exact.toPrecision(DIGITS)), latencies.counts[place]];
      if (count > 0) total.set(us, (total.get(us) ?? 0) + count);
    }
  }
  const ascending = [...total].sort(([a], [b]) => a - b);
  return total.size === 0
    ? undefined
    : { us: ascending.map(([us]) => us), counts: ascending.map(([, count]) => count) };
}

/**
 * @param {Latencies} latencies
 * @returns {LatencyMs} stdev and percentiles: what so many percent of the requests did not exceed
 */
export function latencyMsOf({ us, counts }) {
  const count = counts.reduce((sum, each) => sum + each, 0);
  const meanOf = (/** @type {(value: number) => number} */ of) =>
    us.reduce((sum, value, place) => sum + of(value) * (counts[place] ?? 0), 0) / count;
  const avg = meanOf((value) => value);
  const stdev = Math.sqrt(meanOf((value) => (value - avg) ** 2));
  /** @type {LatencyMs} */
  const found = { stdev: stdev / 1000 };
  let place = 0;
  let reached = counts[0] ?? 0;
  for (const [name, rank] of PERCENTILES) {
    while (reached < (rank * count) / 10_000 && place < us.length - 1) {
      place += 1;
      reached += counts[place] ?? 0;
    }
    found[name] = (us[place] ?? 0) / 1000;
  }
  return found;
}
