/**
 * What others make of the same minutes: the rules that the bench sets beside ours.
 * @import { Trial } from '../../scripts/types.js'
 */

import { mean as meanOf } from 'd3-array';
import jstat from 'jstat';
import { mean, varianceOf } from '../../scripts/samples/interval.js';
import { figureIn } from '../../scripts/samples/case-figures.js';

/**
 * Throughputs of both sides, in requests per second.
 * @typedef {object} Measured
 * @property {[number[], number[]]} starts one a start, which alternate between the sides
 * @property {[number, number] | undefined} runs of one run a side, as long as all its starts together;
 *   undefined where none was recorded
 * @property {Windows | undefined} together of two processes a side that are loaded in turn, all four alive
 * @property {Windows | undefined} abba of two starts a side, one after the other: base, head, head, base
 *
 * @typedef {[base: number[][], head: number[][]]} Windows throughputs of the windows of each process
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
  { name: 'two processes a side, own noise', call: ({ together }) => together && byOwnNoise(together) },
  { name: 'two starts a side, ABBA', call: ({ abba }) => abba && byPairings(abba) },
];

/** Of the rounds in which every one has to show the change. */
const ROUNDS = 5;
const LEAST_CHANGE = 0.02;
/** Four pairings: 95 % with three degrees of freedom, and as its authors chose. */
const Z = 1.96;
const T_OF_PAIRINGS = 4.5;

/** Requests per second of each. @type {(trials: Trial[]) => number[]} */
export function throughputs(trials) {
  return trials.map(({ windows }) => figureIn('throughput', windows) ?? 0);
}

/**
 * As github-action-benchmark compares: worse by more than a share.
 * @type {(runs: [number, number], by: number) => Call}
 */
function byThreshold([base, head], by) {
  if (base > head * (1 + by)) return 'regressed';
  return head > base * (1 + by) ? 'improved' : 'neither';
}

/**
 * By the normal approximation, for samples without ties: H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18
 * (1947).
 * @param {[number[], number[]]} sides
 * @param {number} alpha two-sided
 * @returns {Call}
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
 * @param {[number[], number[]]} sides
 * @param {number} alpha two-sided
 * @returns {Call}
 */
function byWelch([base, head], alpha) {
  const [a, b] = /** @type {[number, number]} */ ([base, head].map((side) => varianceOf(side) / side.length));
  const freedom = (a + b) ** 2 / (a ** 2 / (base.length - 1) + b ** 2 / (head.length - 1));
  const difference = mean(head) - mean(base);
  if (2 * jstat.studentt.cdf(-Math.abs(difference) / Math.sqrt(a + b), freedom) > alpha) return 'neither';
  return difference < 0 ? 'regressed' : 'improved';
}

/**
 * As brianc/node-postgres#3775 and uNetworking/uWebSockets.js#1326 mark a row: in every round it moved
 * further than 2 %, and than two processes of the same code differed in any round.
 * @type {(windows: Windows) => Call}
 */
function byOwnNoise([bases, heads]) {
  const [base, otherBase, head, otherHead] = [...bases, ...heads].map(byRound);
  const between = (/** @type {number[]} */ one = [], /** @type {number[]} */ other = []) =>
    one.map((value, round) => Math.log((other[round] ?? value) / value));
  const pooled = (/** @type {number[]} */ one = [], /** @type {number[]} */ other = []) =>
    one.map((value, round) => value + (other[round] ?? 0));
  const noise = Math.max(...[...between(base, otherBase), ...between(head, otherHead)].map(Math.abs));
  const moved = between(pooled(base, otherBase), pooled(head, otherHead));
  const bound = Math.max(noise, Math.log(1 + LEAST_CHANGE));
  if (moved.every((change) => change < -bound)) return 'regressed';
  return moved.every((change) => change > bound) ? 'improved' : 'neither';
}

/**
 * @param {number[]} windows
 * @returns {number[]} mean throughput of each round
 */
function byRound(windows) {
  const size = windows.length / ROUNDS;
  return Array.from({ length: ROUNDS }, (_, round) =>
    mean(windows.slice(Math.floor(round * size), Math.floor((round + 1) * size))),
  );
}

/**
 * As paradigmxyz/reth#24179 compares: the wider of two intervals, of all paired windows and of the means of
 * the four pairings, which must agree in direction. Its bootstrap of so many windows is the normal interval.
 * @type {(windows: Windows) => Call}
 */
function byPairings([bases, heads]) {
  const pairings = bases.flatMap((base) =>
    heads.map((head) => base.map((value, place) => Math.log((head[place] ?? value) / value))),
  );
  const means = pairings.map(mean);
  const all = pairings.flat();
  const half = Math.max(
    Z * Math.sqrt(varianceOf(all) / all.length),
    T_OF_PAIRINGS * Math.sqrt(varianceOf(means) / means.length),
  );
  if (mean(all) + half < 0 && means.every((value) => value < 0)) return 'regressed';
  return mean(all) - half > 0 && means.every((value) => value > 0) ? 'improved' : 'neither';
}
