/**
 * The server's resident memory: its highest value (`rssBytes`), its mean over the time (`rssMeanBytes`) and
 * its trend (`rssBytesPerSecond`). Pages that several processes share count in each.
 * @import { Observer } from '../observers.js'
 */

import { max, median, pairs, sum } from 'd3-array';
import { readResidentBytes } from '../../system/process/proc.js';

/** A minute of samples: the trend is the median over all pairs of points, 4.5 million of ten minutes. */
const MOST_POINTS = 300;

/** @typedef {{ seconds: number, bytes: number }} Point */

/** @type {Observer} */
export const memory = {
  start() {
    /** @type {Point[]} */
    const points = [];
    return {
      sample(server) {
        const bytes = sum(server.keys(), (pid) => readResidentBytes(pid));
        if (bytes > 0) points.push({ seconds: performance.now() / 1000, bytes });
      },
      stop() {
        if (points.length === 0) return {};
        const slope = slopeOf(points);
        return {
          rssBytes: max(points, ({ bytes }) => bytes) ?? 0,
          rssMeanBytes: Math.round(meanOf(points)),
          ...(slope !== undefined && { rssBytesPerSecond: Math.round(slope) }),
        };
      },
    };
  },
};

/**
 * The estimator of Theil and Sen: the median slope of all pairs. A collector's sawtooth and a first jump move
 * it little. Returns bytes per second; undefined for fewer than three points.
 * @type {(points: Point[]) => number | undefined}
 */
function slopeOf(points) {
  const every = Math.ceil(points.length / MOST_POINTS);
  const thinned = points.filter((_, index) => index % every === 0);
  if (thinned.length < 3) return undefined;
  const slopes = thinned.flatMap((from, index) => {
    const later = thinned.slice(index + 1).filter(({ seconds }) => seconds > from.seconds);
    return later.map((to) => (to.bytes - from.bytes) / (to.seconds - from.seconds));
  });
  return median(slopes);
}

/** Bytes of one sample or more, as if they changed evenly in between. @type {(points: Point[]) => number} */
function meanOf(points) {
  const steps = pairs(points);
  const seconds = sum(steps, ([from, to]) => to.seconds - from.seconds);
  if (seconds <= 0) return points.at(-1)?.bytes ?? 0;
  return sum(steps, ([from, to]) => ((to.seconds - from.seconds) * (from.bytes + to.bytes)) / 2) / seconds;
}
