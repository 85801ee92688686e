/**
 * Finds out whether the boots of a case fall into separated states.
 * @import { Fit, Table } from './shapes.js'
 */

import { at } from './linear.js';
import { fitMixture } from './mixture.js';

/**
 * How many spreads of a boot apart two states must lie. Ashman's D calls 2 separate; 4 leaves practically no boot in
 * doubt, and noise of one state practically never looks so (K. M. Ashman et al., Astron. J. 108, 1994).
 */
const SEPARATE = 4;
/** States nearer than this (8 %) would compete with real slowdowns for the same evidence. */
const LEAST_GAP = 0.08;
/** The part of the gap up to which a shift is as likely as any. */
const LIKELY_SHIFT = 0.6;
/** Boots, both sides together, below which two states and a shift are more than they can tell. */
export const LEAST_BOOTS = 16;
/** Boots that scatter at most so much wider (variance) than an undisturbed one show their state. */
const CALM = 1.5;
/** One boot, or nearly. */
const ONE_BOOT = 0.9;
/** How separated a first guess must look to be worth a fit: halving one normal state gives 2.7. */
const WORTH_A_FIT = 3;
/**
 * Short runs from many starts, long ones from the best (C. Biernacki, G. Celeux, G. Govaert, Comput. Stat. Data Anal. 41,
 * 2003).
 */
const SHORT = 6;
const FINALISTS = 3;
/** So far behind the best after a short run, in units of log-likelihood, no long one brings a start back. */
const HOPELESS = 15;
const ALL_SLOW = Number.POSITIVE_INFINITY;
const ALL_FAST = Number.NEGATIVE_INFINITY;

/**
 * All readings of the boots that hold up, the best first: one state, or two.
 * @param {Table} table
 * @param {Fit} [known] a reading of the same boots dealt otherwise: which state a boot is in does not depend on its side
 * @returns {Fit[]} at least one
 */
export function readStates(table, known) {
  const one = fitMixture(table);
  if (table.boots < LEAST_BOOTS) return [one];
  const two = firstGuesses(table, one, known)
    .map((start) => fitMixture(table, start, SHORT))
    .filter((fit) => gapOf(table, fit) > LEAST_GAP)
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(({ likelihood }, _, all) => (all[0]?.likelihood ?? 0) - likelihood < HOPELESS)
    .filter((fit, index, all) => !all.slice(0, index).some((other) => isAlike(table, fit, other)))
    .slice(0, FINALISTS)
    .map((fit) => fitMixture(table, chancesOfOne(fit)))
    .filter((fit) => isStates(table, fit, one))
    .map((fit) => ({ ...fit, likelihood: fit.likelihood - unlikely(table, fit) }));
  return [...two.sort((a, b) => b.likelihood - a.likelihood), one];
}

/**
 * A shift nearly as large as the gap is more likely boots that are taken for the wrong state: what it costs rises with
 * the fourth power (an exponential-power prior; M. T. Subbotin, 1923), so that shifts below half the gap are free.
 * @param {Table} table
 * @param {Fit} fit
 * @returns {number} in units of log-likelihood
 */
function unlikely(table, fit) {
  const ratio = speedOf(table, fit, 1) / speedOf(table, fit, fit.columns - 1);
  return (ratio / LIKELY_SHIFT) ** 4;
}

/**
 * The mean over metrics of one row of coefficients, positive where it is faster.
 * @param {Table} table
 * @param {Fit} fit
 * @param {number} column
 * @returns {number}
 */
export function speedOf({ metrics, faster }, { coefficients }, column) {
  let sum = 0;
  for (let m = 0; m < metrics.length; m++)
    sum += at(faster, m) * at(coefficients, column * metrics.length + m);
  return sum / metrics.length;
}

/**
 * Two states are believed where they explain the boots better than one by more than their parameters cost (BIC;
 * G. Schwarz, Ann. Statist. 6, 1978), lie far apart, and every metric shows them: a faster state answers more, spends
 * less CPU and answers sooner.
 * @param {Table} table
 * @param {Fit} fit
 * @param {Fit} one
 */
function isStates(table, fit, one) {
  const { metrics, faster, boots } = table;
  const k = metrics.length;
  if (fit.likelihood - one.likelihood < ((k + 2) / 2) * Math.log(boots)) return false;
  const column = fit.columns - 1;
  const gap = speedOf(table, fit, column);
  const agree = faster.every((sign, m) => sign * at(fit.coefficients, column * k + m) * gap > 0);
  const [base, head] = countStates(table, fit);
  // With each side all in a state of its own, any shift would do.
  const tied = [base, head].some(({ zero, one }) => Math.min(zero, one) > ONE_BOOT);
  let variance = 0;
  for (let m = 0; m < k; m++) {
    for (let l = 0; l < k; l++) variance += at(faster, m) * at(faster, l) * at(fit.covariance, m * k + l);
  }
  const separation = Math.abs(gap) / (Math.sqrt(variance) / k);
  return agree && tied && separation > SEPARATE && Math.abs(gap) > LEAST_GAP;
}

/**
 * @param {Table} table
 * @param {Fit} fit
 */
function countStates({ boots, side }, { belongs }) {
  const base = { zero: 0, one: 0 };
  const head = { zero: 0, one: 0 };
  for (let i = 0; i < boots; i++) {
    const counts = side[i] === 0 ? base : head;
    counts.zero += at(belongs, 2 * i);
    counts.one += at(belongs, 2 * i + 1);
  }
  return /** @type {const} */ ([base, head]);
}

/**
 * Different starts often end in the same reading, with the names of the states swapped or not.
 * @param {Table} table
 * @param {Fit} a
 * @param {Fit} b
 */
function isAlike(table, a, b) {
  const shift = speedOf(table, a, 1) - speedOf(table, b, 1);
  const gap = gapOf(table, a) - gapOf(table, b);
  return Math.abs(shift) < LEAST_GAP / 4 && Math.abs(gap) < LEAST_GAP / 2;
}

/**
 * @param {Table} table
 * @param {Fit} fit
 */
function gapOf(table, fit) {
  return Math.abs(speedOf(table, fit, fit.columns - 1));
}

/** @param {Fit} fit */
function chancesOfOne({ belongs }) {
  return belongs.filter((_, index) => index % 2 === 1);
}

/**
 * Where expectation-maximisation may start: each side by itself is cut in two by speed, or is all in the one state or all
 * in the other, in every combination; and both together are cut.
 * @param {Table} table
 * @param {Fit} one
 * @param {Fit} [known] with it, only the likeliest starts
 * @returns {Float64Array[]}
 */
function firstGuesses(table, one, known) {
  const { boots, side } = table;
  const speed = speeds(table, one);
  const calm = calmBoots(table);
  const set = calm.length >= boots / 2 ? calm : [...speed.keys()];
  const cutOf = (/** @type {number[]} */ members) => widestCut(members.map((boot) => at(speed, boot)));
  const sides = [0, 1].map((s) => set.filter((boot) => side[boot] === s));
  const [base, head] = sides.map((members) => [cutOf(members) ?? [], ALL_SLOW, ALL_FAST].flat());
  const common = cutOf(set);
  const cuts = known
    ? [[at(base ?? [], 0), at(head ?? [], 0)]]
    : (base ?? []).flatMap((a) => (head ?? []).map((b) => [a, b]));
  if (common !== undefined) cuts.push([common, common]);
  const guesses = cuts
    .filter(([a = 0, b = 0]) => Number.isFinite(a) || Number.isFinite(b))
    .map((pair) => {
      // What others disturbed is left open.
      const start = new Float64Array(boots).fill(0.5);
      for (const boot of set) start[boot] = at(speed, boot) > at(pair, at(side, boot)) ? 1 : 0;
      return start;
    })
    .filter((start, index, all) => !all.slice(0, index).some((other) => isEqual(start, other)));
  return known?.states === 2 ? [chancesOfOne(known), ...guesses] : guesses;
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b of the same length
 */
function isEqual(a, b) {
  return a.every((value, index) => value === b[index]);
}

/**
 * Every boot's mean speed over the metrics, the effect of disturbance taken off.
 * @param {Table} table
 * @param {Fit} one
 * @returns {number[]}
 */
function speeds(table, one) {
  const { metrics, faster, values, disturbance, boots } = table;
  const slope = disturbance ? speedOf(table, one, 2) : 0;
  return Array.from({ length: boots }, (_, i) => {
    let sum = 0;
    for (let m = 0; m < metrics.length; m++) sum += at(faster, m) * at(values, i * metrics.length + m);
    return sum / metrics.length - (disturbance ? slope * at(disturbance, i) : 0);
  });
}

/** @param {Table} table */
function calmBoots({ boots, spread }) {
  return Array.from({ length: boots }, (_, i) => i).filter((i) => at(spread, i) < CALM);
}

/**
 * The cut into two groups with the least scatter inside the groups.
 * @param {number[]} scores
 * @returns {number | undefined} undefined where no cut separates anything
 */
function widestCut(scores) {
  const sorted = scores.toSorted((a, b) => a - b);
  const sums = [0];
  const squares = [0];
  for (const [i, value] of sorted.entries()) {
    sums.push(at(sums, i) + value);
    squares.push(at(squares, i) + value * value);
  }
  const n = sorted.length;
  /** @type {{ within: number, cut: number, apart: number } | undefined} */
  let best;
  for (let left = 1; left < n; left++) {
    const [a, b] = [at(sums, left) / left, (at(sums, n) - at(sums, left)) / (n - left)];
    const within = at(squares, n) - left * a * a - (n - left) * b * b;
    if (best && within >= best.within) continue;
    best = { within, cut: (at(sorted, left - 1) + at(sorted, left)) / 2, apart: b - a };
  }
  return best && best.apart > WORTH_A_FIT * Math.sqrt(Math.max(0, best.within) / n) ? best.cut : undefined;
}
