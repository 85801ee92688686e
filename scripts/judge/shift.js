/** How far two samples of boots lie apart, with the uncertainty of that. */

import jstat from 'jstat';

/**
 * A difference of means, its variance, and the degrees of freedom that variance is known with.
 * @typedef {{ difference: number, variance: number, freedom: number }} Shift
 */

/** Equal boots leave no spread at all; a figure is still not better than its last digit. */
const LAST_DIGIT = 1e-12;

/**
 * Welch's unequal-variances difference (B. L. Welch, Biometrika 34, 1947) with the Welch-Satterthwaite degrees of freedom.
 * @param {number[]} base
 * @param {number[]} head
 * @returns {Shift | undefined} head minus base; undefined below two values a side
 */
export function welch(base, head) {
  if (base.length < 2 || head.length < 2) return undefined;
  const from = moments(base);
  const to = moments(head);
  return { difference: to.mean - from.mean, ...addVariances(from, to) };
}

/**
 * One shift seen from another, e.g. a case's from the reference arm's: independent uncertainties add.
 * @param {Shift} shift
 * @param {Shift} from
 * @returns {Shift}
 */
export function relativeTo(shift, from) {
  return { difference: shift.difference - from.difference, ...addVariances(shift, from) };
}

/**
 * @param {{ effect: number, error: number, df: number }} shift
 * @returns {number} two-sided p-value of "no shift"
 */
export function pValue({ effect, error, df }) {
  return 2 * jstat.studentt.cdf(-Math.abs(effect) / error, df);
}

/**
 * @param {{ error: number, df: number }} shift
 * @param {number} alpha the chance, over both sides, that the interval misses the truth
 * @returns {number} how far the interval reaches to each side
 */
export function reach({ error, df }, alpha) {
  return jstat.studentt.inv(1 - alpha / 2, df) * error;
}

/** @param {number[]} values */
function moments(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    variance: squares / (values.length - 1) / values.length + LAST_DIGIT,
    freedom: values.length - 1,
  };
}

/**
 * F. E. Satterthwaite, Biometrics Bulletin 2, 1946.
 * @param {{ variance: number, freedom: number }} a
 * @param {{ variance: number, freedom: number }} b
 */
function addVariances(a, b) {
  const variance = a.variance + b.variance;
  return { variance, freedom: variance ** 2 / (a.variance ** 2 / a.freedom + b.variance ** 2 / b.freedom) };
}
