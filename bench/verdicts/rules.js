/**
 * What others do with the same windows: the rules that the bench sets beside ours.
 * @import { Trial } from '../../scripts/types.js'
 */

import jstat from 'jstat';
import { mean, varianceOf } from '../../scripts/judge/mean-estimate.js';
import { figureIn } from '../../scripts/samples/samples.js';

/**
 * @typedef {'regressed' | 'improved' | 'neither'} Call
 * @typedef {{ name: string, call: (base: number[], head: number[]) => Call }} Rule base, head: requests a second, a boot each
 */

/** @type {Rule[]} */
export const RULES = [
  ...[0.05, 0.1].map((by) => threshold(`one start per side, ${100 * by} %`, 1, by)),
  threshold('mean of the starts, 5 %', Number.POSITIVE_INFINITY, 0.05),
  { name: "Welch's t over the starts, 0.01", call: (base, head) => byWelch(base, head, 0.01) },
];

/** @param {Trial[]} trials @returns {number[]} */
export function throughputs(trials) {
  return trials.map(({ windows }) => figureIn('throughput', windows) ?? 0);
}

/**
 * @param {string} name
 * @param {number} boots how many of them count
 * @param {number} by the share by which the means must differ
 * @returns {Rule}
 */
function threshold(name, boots, by) {
  return {
    name,
    call: (base, head) => {
      const [from, to] = [base, head].map((side) => mean(side.slice(0, boots)));
      if (from === undefined || to === undefined) return 'neither';
      if (to < from * (1 - by)) return 'regressed';
      return to > from * (1 + by) ? 'improved' : 'neither';
    },
  };
}

/**
 * B. L. Welch, Biometrika 34 (1947).
 * @param {number[]} base
 * @param {number[]} head
 * @param {number} alpha two-sided
 * @returns {Call}
 */
function byWelch(base, head, alpha) {
  const [a, b] = /** @type {[number, number]} */ ([base, head].map((side) => varianceOf(side) / side.length));
  const freedom = (a + b) ** 2 / (a ** 2 / (base.length - 1) + b ** 2 / (head.length - 1));
  const difference = mean(head) - mean(base);
  if (2 * jstat.studentt.cdf(-Math.abs(difference) / Math.sqrt(a + b), freedom) > alpha) return 'neither';
  return difference < 0 ? 'regressed' : 'improved';
}
