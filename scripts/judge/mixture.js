/**
 * A robust fit of the boots of both sides: one state or two, which both sides share, and one shift between the sides.
 * @import { Fit, Table } from './shapes.js'
 */

import jstat from 'jstat';
import { add, at, get, invert, quadratic } from './linear.js';

/** Degrees of freedom of the t noise; the usual choice for data with a few wrecked points (Lange et al. 1989). */
const TAIL = 4;
/** Boots of one machine never repeat better than this (1 %): keeps a clump of lucky boots from looking like a law. */
const FLOOR = 0.01;
/** The weight of that floor, in boots. */
const FLOOR_BOOTS = 2;
/** A change of code seldom changes which state a boot falls into: once in so many. */
const SAME_MIX_ODDS = 1e5;
const ITERATIONS = 60;
/** Change of the log-likelihood below which the fit has settled. */
const SETTLED = 0.01;

/**
 * Expectation-maximisation for a mixture of regressions with multivariate t noise.
 * Sources: A. P. Dempster, N. M. Laird, D. B. Rubin, "Maximum likelihood from incomplete data via the EM algorithm",
 * J. R. Statist. Soc. B 39 (1977); K. L. Lange, R. J. A. Little, J. M. G. Taylor, "Robust statistical modeling using
 * the t distribution", J. Am. Statist. Assoc. 84 (1989).
 * @param {Table} table
 * @param {ArrayLike<number>} [start] first guess of each boot's chance to be in state 1; absent: one state
 * @param {number} [iterations] at most
 * @returns {Fit}
 */
export function fitMixture(table, start, iterations = ITERATIONS) {
  const states = /** @type {1 | 2} */ (start ? 2 : 1);
  const columns = 2 + (table.disturbance ? 1 : 0) + (start ? 1 : 0);
  const work = {
    states,
    columns,
    belongs: new Float64Array(table.boots * states).fill(1),
    weights: new Float64Array(table.boots * states).fill(1),
    design: designOf(table, states, columns),
    residuals: new Float64Array(table.boots * states * table.metrics.length),
  };
  if (start) {
    for (let i = 0; i < table.boots; i++) {
      work.belongs[2 * i] = 1 - at(start, i);
      work.belongs[2 * i + 1] = at(start, i);
    }
  }
  let fit = step(table, work);
  for (let i = 1; i < iterations; i++) {
    const before = fit.likelihood;
    fit = step(table, work);
    if (Math.abs(fit.likelihood - before) < SETTLED) break;
  }
  return fit;
}

/**
 * @typedef {{ states: 1 | 2, columns: number, belongs: Float64Array, weights: Float64Array, design: Float64Array,
 *   residuals: Float64Array }} Work
 */

/**
 * The design row of a boot in a state: level, shift (±1/2), disturbance, state.
 * @param {Table} table
 * @param {number} states
 * @param {number} columns
 */
export function designOf({ boots, side, disturbance }, states, columns) {
  const design = new Float64Array(boots * states * columns);
  for (let row = 0; row < boots * states; row++) {
    const boot = Math.floor(row / states);
    design[row * columns] = 1;
    design[row * columns + 1] = at(side, boot) - 0.5;
    if (disturbance) design[row * columns + 2] = at(disturbance, boot);
    if (states === 2) design[row * columns + columns - 1] = row % 2;
  }
  return design;
}

/**
 * One round of maximisation and expectation.
 * @param {Table} table
 * @param {Work} work its `belongs`, `weights` and `residuals` are renewed
 * @returns {Fit}
 */
function step(table, work) {
  const { coefficients, inverse } = regress(table, work);
  const covariance = scatter(table, work, coefficients);
  const { inverse: precision, logDeterminant } = invert(covariance, table.metrics.length);
  const { shares, penalty } = mixOf(table, work);
  const data = expect(table, work, { precision, logDeterminant, shares });
  const { states, columns, belongs, weights } = work;
  let trace = 0;
  for (let k = 0; k < table.metrics.length; k++) trace += at(precision, k * table.metrics.length + k);
  const prior = -(FLOOR_BOOTS / 2) * (logDeterminant + trace * FLOOR ** 2);
  const likelihood = data + penalty + prior;
  return {
    states,
    columns,
    coefficients,
    covariance,
    precision,
    inverse,
    belongs,
    weights,
    shares,
    likelihood,
  };
}

/**
 * Weighted least squares, the same weights for every metric.
 * @param {Table} table
 * @param {Work} work
 */
function regress({ metrics, values, spread }, { states, columns, belongs, weights, design }) {
  const k = metrics.length;
  const cross = new Float64Array(columns * columns);
  const right = new Float64Array(columns * k);
  for (let row = 0; row < belongs.length; row++) {
    const boot = Math.floor(row / states);
    const weight = (get(belongs, row) * get(weights, row)) / get(spread, boot);
    if (weight < 1e-9) continue;
    for (let a = 0; a < columns; a++) {
      const x = weight * get(design, row * columns + a);
      if (x === 0) continue;
      for (let b = 0; b < columns; b++) add(cross, a * columns + b, x * get(design, row * columns + b));
      for (let m = 0; m < k; m++) add(right, a * k + m, x * get(values, boot * k + m));
    }
  }
  // A hair of ridge, for designs in which a column does not vary.
  for (let a = 0; a < columns; a++) add(cross, a * columns + a, 1e-6);
  const { inverse } = invert(cross, columns);
  const coefficients = new Float64Array(columns * k);
  for (let a = 0; a < columns; a++) {
    for (let b = 0; b < columns; b++) {
      for (let m = 0; m < k; m++)
        add(coefficients, a * k + m, get(inverse, a * columns + b) * get(right, b * k + m));
    }
  }
  return { coefficients, inverse };
}

/**
 * Covariance of the residuals, which it also renews.
 * @param {Table} table
 * @param {Work} work
 * @param {Float64Array} coefficients
 */
function scatter({ metrics, values, spread, boots }, work, coefficients) {
  const { states, columns, belongs, weights, design, residuals } = work;
  const k = metrics.length;
  const covariance = new Float64Array(k * k);
  for (let row = 0; row < belongs.length; row++) {
    const boot = Math.floor(row / states);
    const weight = (get(belongs, row) * get(weights, row)) / get(spread, boot);
    for (let m = 0; m < k; m++) {
      let left = get(values, boot * k + m);
      for (let a = 0; a < columns; a++) left -= get(design, row * columns + a) * get(coefficients, a * k + m);
      residuals[row * k + m] = left;
      for (let l = 0; l <= m; l++) add(covariance, m * k + l, weight * left * get(residuals, row * k + l));
    }
  }
  for (let m = 0; m < k; m++) {
    add(covariance, m * k + m, FLOOR_BOOTS * FLOOR ** 2);
    for (let l = 0; l <= m; l++) {
      covariance[m * k + l] = get(covariance, m * k + l) / (boots + FLOOR_BOOTS);
      covariance[l * k + m] = get(covariance, m * k + l);
    }
  }
  return covariance;
}

/**
 * Each side's share of state 1. Both sides have the same one, unless their boots say otherwise so loudly that it makes up
 * for how seldom a change moves the mix.
 * @param {Table} table
 * @param {Work} work
 * @returns {{ shares: [number, number], penalty: number }}
 */
function mixOf({ boots, side }, { states, belongs }) {
  if (states === 1) return { shares: [0, 0], penalty: 0 };
  const count = [0, 0];
  const ones = [0, 0];
  for (let i = 0; i < boots; i++) {
    const s = at(side, i);
    count[s] = at(count, s) + 1;
    ones[s] = at(ones, s) + at(belongs, 2 * i + 1);
  }
  // Half a boot in each state, so that no share is 0 (H. Jeffreys' prior).
  const own = [0, 1].map((s) => (at(ones, s) + 0.5) / (at(count, s) + 1));
  const pool = (at(ones, 0) + at(ones, 1) + 0.5) / (boots + 1);
  let gain = 0;
  for (const [s, share] of own.entries()) {
    gain +=
      at(ones, s) * Math.log(share / pool) +
      (at(count, s) - at(ones, s)) * Math.log((1 - share) / (1 - pool));
  }
  const penalty = Math.log(SAME_MIX_ODDS);
  return gain > penalty
    ? { shares: [at(own, 0), at(own, 1)], penalty: -penalty }
    : { shares: [pool, pool], penalty: 0 };
}

/**
 * @param {Table} table
 * @param {Work} work
 * @param {{ precision: Float64Array, logDeterminant: number, shares: [number, number] }} noise
 * @returns {number} log-likelihood
 */
function expect({ boots, metrics, spread, side }, work, { precision, logDeterminant, shares }) {
  const { states, belongs, weights, residuals } = work;
  const k = metrics.length;
  const constant = logDensityConstant(k) - logDeterminant / 2;
  const form = { matrix: precision, size: k, from: 0 };
  let total = 0;
  for (let boot = 0; boot < boots; boot++) {
    const wide = get(spread, boot);
    const share = side[boot] === 1 ? shares[1] : shares[0];
    let high = Number.NEGATIVE_INFINITY;
    for (let state = 0; state < states; state++) {
      const row = boot * states + state;
      form.from = row * k;
      const distance = quadratic(residuals, form) / wide;
      weights[row] = (TAIL + k) / (TAIL + distance);
      const prior = states === 1 ? 0 : Math.log(state === 1 ? share : 1 - share);
      const log =
        prior + constant - (k / 2) * Math.log(wide) - ((TAIL + k) / 2) * Math.log1p(distance / TAIL);
      belongs[row] = log;
      high = Math.max(high, log);
    }
    let sum = 0;
    for (let row = boot * states; row < (boot + 1) * states; row++) {
      belongs[row] = Math.exp(get(belongs, row) - high);
      sum += get(belongs, row);
    }
    for (let row = boot * states; row < (boot + 1) * states; row++) belongs[row] = get(belongs, row) / sum;
    total += high + Math.log(sum);
  }
  return total;
}

/**
 * Of the multivariate t density.
 * @param {number} k dimensions
 */
function logDensityConstant(k) {
  return jstat.gammaln((TAIL + k) / 2) - jstat.gammaln(TAIL / 2) - (k / 2) * Math.log(TAIL * Math.PI);
}
