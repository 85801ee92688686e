/** The mean of a few values and its interval, by Student's t. */

import jstat from 'jstat';

/** The chance that the truth is beyond an end of 95 % intervals. At 98 %, a steady server is `same` later. */
export const BEYOND = 0.025;
/** Equal figures show no spread, but are not infinitely certain. */
export const LAST_DIGIT = 1e-6;

/**
 * @param {{ error: number, df: number }} estimate its standard error and degrees of freedom
 * @param {number} [beyond] the chance, to either side, that the interval misses the truth
 * @returns {number} how far the interval reaches to each side
 */
export function halfWidth({ error, df }, beyond = BEYOND) {
  return jstat.studentt.inv(1 - beyond, df) * error;
}

/** Half the interval of their mean; NaN of a single one. @type {(values: number[]) => number} */
export function halfOf(values) {
  const df = values.length - 1;
  return df > 0 ? halfWidth({ error: Math.sqrt(varianceOf(values) / values.length) + LAST_DIGIT, df }) : NaN;
}

/** Unlike d3's, of one value at least, NaN where one is no number. @type {(values: number[]) => number} */
export function mean(values) {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/**
 * In two passes, which d3's variance is not: figures of one level differ in their last digits only.
 * @param {number[]} values at least two
 * @returns {number}
 */
export function varianceOf(values) {
  const centre = mean(values);
  return values.reduce((total, value) => total + (value - centre) ** 2, 0) / (values.length - 1);
}
