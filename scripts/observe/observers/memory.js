/**
 * The server's memory: `rssBytes`, the highest of what was seen at both ends of a window and five times a second in between,
 * often enough for a garbage collector's sawtooth; `rssMeanBytes`, their mean over the time; and `rssBytesPerSecond`, their trend.
 * Pages that several processes share count in each.
 * @import { Observer } from '../observers.js'
 * @import { Processes } from '../../system/process/proc.js'
 */

import { readResidentBytes } from '../../system/process/proc.js';
import { sum } from '../cpu-accounting.js';

/** Of a minute. All pairs of them make the trend, of ten minutes' samples 4.5 million. */
const MOST_POINTS = 300;

/** @type {Observer} */
export const memory = {
  label: 'memory',
  reads: '/proc/PID/status',
  platforms: ['linux'],
  start() {
    /** @type {[seconds: number, bytes: number][]} */
    const samples = [];
    return {
      sample(/** @type {Processes} */ server) {
        const bytes = sum([...server.keys()].flatMap((pid) => readResidentBytes(pid) ?? []));
        if (bytes > 0) samples.push([performance.now() / 1000, bytes]);
      },
      stop: () => {
        if (samples.length === 0) return {};
        const slope = slopeOf(thinned(samples));
        return {
          rssBytes: Math.max(...samples.map(([, bytes]) => bytes)),
          rssMeanBytes: Math.round(meanOf(samples)),
          ...(slope !== undefined && { rssBytesPerSecond: Math.round(slope) }),
        };
      },
    };
  },
};

/**
 * @template T
 * @param {T[]} points
 * @returns {T[]} evenly spaced among them, no more than tell a trend
 */
function thinned(points) {
  const every = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, place) => place % every === 0);
}

/**
 * Theil and Sen's: the median of the slopes between all pairs. A collector's sawtooth and a first jump move it little.
 * @param {[seconds: number, bytes: number][]} points
 * @returns {number | undefined} undefined where fewer than three, or all at one instant, have no trend
 */
function slopeOf(points) {
  const slopes = points.flatMap(([x, y], place) =>
    points.slice(place + 1).flatMap(([later, other]) => (later > x ? (other - y) / (later - x) : [])),
  );
  if (points.length < 3 || slopes.length === 0) return undefined;
  slopes.sort((a, b) => a - b);
  const half = slopes.length / 2;
  return ((slopes[Math.ceil(half) - 1] ?? 0) + (slopes[Math.floor(half)] ?? 0)) / 2;
}

/**
 * @param {[seconds: number, bytes: number][]} points at least one
 * @returns {number} over the time, as if memory changed evenly between two looks
 */
function meanOf(points) {
  const [first = [0, 0], last = first] = [points[0], points.at(-1)];
  const whole = last[0] - first[0];
  if (whole <= 0) return last[1];
  const areas = points.slice(1).map(([at, bytes], place) => {
    const [before = at, earlier = bytes] = points[place] ?? [];
    return ((at - before) * (bytes + earlier)) / 2;
  });
  return sum(areas) / whole;
}
