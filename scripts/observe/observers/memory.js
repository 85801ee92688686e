/**
 * The server's memory: `rssBytes`, the highest of what was seen at both ends of a window and five times a second in between,
 * often enough for a garbage collector's sawtooth; and `rssBytesPerSecond`, the slope of a straight line through them. Pages that several processes share count in each.
 * @import { Observer } from '../observers.js'
 * @import { Processes } from '../../proc.js'
 */

import { readResidentBytes } from '../../proc.js';
import { sum } from '../span.js';

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
        const slope = slopeOf(samples);
        return {
          rssBytes: Math.max(...samples.map(([, bytes]) => bytes)),
          ...(slope !== undefined && { rssBytesPerSecond: Math.round(slope) }),
        };
      },
    };
  },
};

/**
 * Least squares.
 * @param {[number, number][]} points
 * @returns {number | undefined} undefined where fewer than three, or all at one instant, have no trend
 */
function slopeOf(points) {
  const mean = (/** @type {0 | 1} */ axis) => sum(points.map((point) => point[axis])) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = sum(points.map(([each]) => (each - x) ** 2));
  if (points.length < 3 || spread === 0) return undefined;
  return sum(points.map(([a, b]) => (a - x) * (b - y))) / spread;
}
