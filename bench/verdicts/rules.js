/**
 * What others make of the same minutes: the rules that the bench sets beside ours.
 * @import { Trial } from '../../scripts/types.js'
 */

import { mean as meanOf } from 'd3-array';
import jstat from 'jstat';
import { mean, varianceOf } from '../../scripts/samples/interval.js';
import { figureIn } from '../../scripts/samples/window-figures.js';

/**
 * Throughputs of both sides, in requests per second.
 * @typedef {object} Measured
 * @property {[number[], number[]]} starts one a start, which alternate between the sides
 * @property {[number, number] | undefined} runs of one run a side, as long as all its starts together; undefined where none was recorded
 *
 * @typedef {'regressed' | 'improved' | 'neither'} Call
 * @typedef {{ name: string, call: (measured: Measured) => Call | undefined }} Rule
 */

/** @type {Rule[]} */
export const RULES = [
  ...[0.05, 0.1, 0.5, 1].map((by) => ({
    name: `one run a side, ${100 * by} %`,
    call: (/** @type {Measured} */ { runs }) => runs && byThreshold(runs, by),
  })),
  { name: 'Mann-Whitney, p < 0.05', call: ({ starts }) => byMannWhitney(starts, 0.05) },
  { name: "Welch's t, p < 0.01", call: ({ starts }) => byWelch(starts, 0.01) },
];

/** @param {Trial[]} trials @returns {number[]} requests per second of each */
export function throughputs(trials) {
  return trials.map(({ windows }) => figureIn('throughput', windows) ?? 0);
}

/** As github-action-benchmark compares: worse by more than a share. @param {[number, number]} runs @param {number} by @returns {Call} */
function byThreshold([base, head], by) {
  if (base > head * (1 + by)) return 'regressed';
  return head > base * (1 + by) ? 'improved' : 'neither';
}

/**
 * By the normal approximation, for samples without ties: H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18 (1947).
 * @param {[number[], number[]]} sides @param {number} alpha two-sided @returns {Call}
 */
function byMannWhitney([base, head], alpha) {
  const [n, m] = [base.length, head.length];
  const above = meanOf(head, (one) => base.filter((other) => one > other).length) ?? 0;
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  const z = (above * m - (n * m) / 2) / deviation;
  if (2 * jstat.normal.cdf(-Math.abs(z), 0, 1) > alpha) return 'neither';
  return z < 0 ? 'regressed' : 'improved';
}

/**
 * B. L. Welch, Biometrika 34 (1947).
 * @param {[number[], number[]]} sides @param {number} alpha two-sided @returns {Call}
 */
function byWelch([base, head], alpha) {
  const [a, b] = /** @type {[number, number]} */ ([base, head].map((side) => varianceOf(side) / side.length));
  const freedom = (a + b) ** 2 / (a ** 2 / (base.length - 1) + b ** 2 / (head.length - 1));
  const difference = mean(head) - mean(base);
  if (2 * jstat.studentt.cdf(-Math.abs(difference) / Math.sqrt(a + b), freedom) > alpha) return 'neither';
  return difference < 0 ? 'regressed' : 'improved';
}
