/** How far two samples of boots lie apart, with the uncertainty of that. */

import jstat from 'jstat';

/**
 * A difference of means, its variance, and the degrees of freedom that variance is known with.
 * @typedef {{ difference: number, variance: number, freedom: number }} Shift
 */

/** Equal boots leave no spread at all; a figure is still not better than its last digit. */
export const LAST_DIGIT = 1e-12;

/**
 * Welch's unequal-variances difference (B. L. Welch, Biometrika 34, 1947) with the Welch-Satterthwaite degrees of freedom;
 * of trimmed means where wrecked boots must not count (K. K. Yuen, Biometrika 61, 1974).
 * @param {number[]} base
 * @param {number[]} head
 * @param {number} [trim] the share of the values that is left out at each end
 * @returns {(Shift & { from: number }) | undefined} head minus base, from the base's mean; undefined below two values a side
 */
export function welch(base, head, trim = 0) {
  if (base.length < 2 || head.length < 2) return undefined;
  const from = moments(base, trim);
  const to = moments(head, trim);
  return { from: from.mean, difference: to.mean - from.mean, ...addVariances(from, to) };
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
 * The upper tail of the F distribution through the beta distribution, exact also where it is tiny.
 * @param {number} f
 * @param {number} first degrees of freedom above
 * @param {number} second below
 * @returns {number} the chance of such a ratio or a larger one
 */
export function upperF(f, first, second) {
  return jstat.beta.cdf(second / (second + first * f), second / 2, first / 2);
}

/**
 * @param {{ error: number, df: number }} shift
 * @param {number} alpha the chance, over both sides, that the interval misses the truth
 * @returns {number} how far the interval reaches to each side
 */
export function reach({ error, df }, alpha) {
  return jstat.studentt.inv(1 - alpha / 2, df) * error;
}

/**
 * The mean of the middle, and its variance from the values with both ends drawn in to the middle's.
 * @param {number[]} values
 * @param {number} trim
 */
function moments(values, trim) {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(trim * sorted.length);
  const middle = sorted.slice(cut, sorted.length - cut);
  const [least = 0, most = 0] = [middle[0], middle.at(-1)];
  const drawnIn = sorted.map((value) => Math.min(most, Math.max(least, value)));
  const centre = meanOf(drawnIn);
  const squares = drawnIn.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const count = middle.length;
  return {
    mean: meanOf(middle),
    variance: squares / (count - 1) / count + LAST_DIGIT,
    freedom: count - 1,
  };
}

/** @param {number[]} values */
function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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
