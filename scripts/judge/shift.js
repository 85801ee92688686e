/** How far two samples of boots lie apart, with the uncertainty of that. */

import jstat from 'jstat';

/**
 * A difference of means, its variance, and the degrees of freedom that variance is known with.
 * @typedef {{ difference: number, variance: number, freedom: number }} Shift
 */

/**
 * Welch's unequal-variances difference (B. L. Welch, Biometrika 34, 1947) with the Welch-Satterthwaite degrees of freedom.
 * @param {number[]} base at least two
 * @param {number[]} head at least two
 * @returns {Shift} head minus base
 */
export function welch(base, head) {
  const sides = [meanVariance(base), meanVariance(head)];
  const [from, to] = /** @type {[Moments, Moments]} */ (sides);
  return { difference: to.mean - from.mean, ...addVariances(sides) };
}

/**
 * One shift seen from another, e.g. a case's from the reference arm's: independent uncertainties add.
 * @param {Shift} shift
 * @param {Shift} from
 * @returns {Shift}
 */
export function relativeTo(shift, from) {
  const parts = [shift, from];
  return { difference: shift.difference - from.difference, ...addVariances(parts) };
}

/**
 * @param {Shift} shift
 * @param {number} alpha the chance, over both sides, that the interval misses the truth
 * @returns {[number, number]}
 */
export function interval({ difference, variance, freedom }, alpha) {
  const reach = jstat.studentt.inv(1 - alpha / 2, freedom) * Math.sqrt(variance);
  return [difference - reach, difference + reach];
}

/** @typedef {{ mean: number, variance: number, freedom: number }} Moments variance: of the mean */

/**
 * @param {number[]} values
 * @returns {Moments}
 */
function meanVariance(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) / values.length, freedom: values.length - 1 };
}

/**
 * F. E. Satterthwaite, Biometrics Bulletin 2, 1946.
 * @param {{ variance: number, freedom: number }[]} parts
 */
function addVariances(parts) {
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  const denominator = parts.reduce((sum, part) => sum + part.variance ** 2 / part.freedom, 0);
  const least = Math.min(...parts.map(({ freedom }) => freedom));
  return { variance, freedom: denominator > 0 ? variance ** 2 / denominator : least };
}
