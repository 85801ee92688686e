/**
 * A robust fit of the boots of both sides: one state or two, which both sides share, and one shift between the sides.
 * @import { Fit, Table } from './shapes.js'
 */

import jstat from 'jstat';
import { add, at, get, invert, quadratic } from './linear.js';

/** Degrees of freedom of the t noise; the usual choice for data with a few wrecked points (Lange et al. 1989). */
export const TAIL = 4;
/** Boots of one machine never repeat better than this (1 %): keeps a clump of lucky boots from looking like a law. */
const FLOOR = 0.01;
/** The weight of that floor, in boots. */
const FLOOR_BOOTS = 2;
/** A change of code seldom changes which state a boot falls into: once in so many. */
const SAME_MIX_ODDS = 1e5;
const ITERATIONS = 60;
/** A hair, for designs in which a column does not vary. */
const RIDGE = 1e-6;
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
  const k = table.metrics.length;
  const work = {
    states,
    columns,
    cross: new Float64Array(columns ** 2),
    inverse: new Float64Array(columns ** 2),
    right: new Float64Array(columns * k),
    coefficients: new Float64Array(columns * k),
    covariance: new Float64Array(k ** 2),
    precision: new Float64Array(k ** 2),
    belongs: new Float64Array(table.boots * states).fill(1),
    weights: new Float64Array(table.boots * states).fill(1),
    design: designOf(table, states, columns),
    residuals: new Float64Array(table.boots * k),
    gap: new Float64Array(k),
  };
  if (start) {
    for (let i = 0; i < table.boots; i++) {
      work.belongs[2 * i] = 1 - at(start, i);
      work.belongs[2 * i + 1] = at(start, i);
    }
  }
  let { likelihood, shares } = step(table, work);
  for (let i = 1; i < iterations; i++) {
    const before = likelihood;
    ({ likelihood, shares } = step(table, work));
    if (Math.abs(likelihood - before) < SETTLED) break;
  }
  const { coefficients, covariance, precision, inverse, belongs, weights } = work;
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
 * What every round writes anew: most of the time went into making such small arrays.
 * @typedef {{ states: 1 | 2, columns: number, belongs: Float64Array, weights: Float64Array, design: Float64Array,
 *   residuals: Float64Array, gap: Float64Array, cross: Float64Array, inverse: Float64Array, right: Float64Array,
 *   coefficients: Float64Array, covariance: Float64Array, precision: Float64Array }} Work
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
 * @param {Work} work all but its `design` is renewed
 * @returns {{ likelihood: number, shares: [number, number] }}
 */
function step(table, work) {
  const { covariance, precision } = work;
  const k = table.metrics.length;
  regress(table, work);
  scatter(table, work);
  const { logDeterminant } = invert(covariance, k, precision);
  const { shares, penalty } = mixOf(table, work);
  const data = expect(table, work, { logDeterminant, shares });
  let trace = 0;
  for (let m = 0; m < k; m++) trace += at(precision, m * k + m);
  const prior = -(FLOOR_BOOTS / 2) * (logDeterminant + trace * FLOOR ** 2);
  return { likelihood: data + penalty + prior, shares };
}

/**
 * Weighted least squares, the same weights for every metric. Both states of a boot share its row but for the last column,
 * so they are summed up together.
 * @param {Table} table
 * @param {Work} work
 */
function regress({ boots, metrics, values, spread }, work) {
  const { states, columns, belongs, weights, design, cross, right, coefficients, inverse } = work;
  const k = metrics.length;
  const shared = columns - (states - 1);
  cross.fill(0);
  right.fill(0);
  for (let boot = 0; boot < boots; boot++) {
    const row = boot * states;
    const wide = get(spread, boot);
    const first = (get(belongs, row) * get(weights, row)) / wide;
    const second = states === 2 ? (get(belongs, row + 1) * get(weights, row + 1)) / wide : 0;
    for (let a = 0; a < shared; a++) {
      const x = get(design, row * columns + a);
      const both = (first + second) * x;
      for (let b = 0; b <= a; b++) add(cross, a * columns + b, both * get(design, row * columns + b));
      for (let m = 0; m < k; m++) add(right, a * k + m, both * get(values, boot * k + m));
      if (states === 2) add(cross, shared * columns + a, second * x);
    }
    if (states === 2) {
      add(cross, shared * columns + shared, second);
      for (let m = 0; m < k; m++) add(right, shared * k + m, second * get(values, boot * k + m));
    }
  }
  for (let a = 0; a < columns; a++) {
    for (let b = 0; b < a; b++) cross[b * columns + a] = get(cross, a * columns + b);
    add(cross, a * columns + a, RIDGE);
  }
  invert(cross, columns, inverse);
  coefficients.fill(0);
  for (let a = 0; a < columns; a++) {
    for (let b = 0; b < columns; b++) {
      for (let m = 0; m < k; m++)
        add(coefficients, a * k + m, get(inverse, a * columns + b) * get(right, b * k + m));
    }
  }
}

/**
 * The residuals as if all boots were in state 0, and the covariance: in state 1 each lies the gap lower.
 * @param {Table} table
 * @param {Work} work
 */
function scatter({ metrics, values, spread, boots }, work) {
  const { states, columns, belongs, weights, design, residuals, coefficients, covariance, gap } = work;
  const k = metrics.length;
  const shared = columns - (states - 1);
  covariance.fill(0);
  gap.fill(0);
  if (states === 2) gap.set(coefficients.subarray(shared * k));
  const pulls = new Float64Array(k);
  let ones = 0;
  for (let boot = 0; boot < boots; boot++) {
    const row = boot * states;
    const wide = get(spread, boot);
    const second = states === 2 ? (get(belongs, row + 1) * get(weights, row + 1)) / wide : 0;
    const both = (get(belongs, row) * get(weights, row)) / wide + second;
    ones += second;
    for (let m = 0; m < k; m++) {
      let left = get(values, boot * k + m);
      for (let a = 0; a < shared; a++) left -= get(design, row * columns + a) * get(coefficients, a * k + m);
      residuals[boot * k + m] = left;
      add(pulls, m, second * left);
      for (let l = 0; l <= m; l++) add(covariance, m * k + l, both * left * get(residuals, boot * k + l));
    }
  }
  for (let m = 0; m < k; m++) {
    add(covariance, m * k + m, FLOOR_BOOTS * FLOOR ** 2);
    for (let l = 0; l <= m; l++) {
      const moved =
        ones * get(gap, m) * get(gap, l) - get(pulls, m) * get(gap, l) - get(gap, m) * get(pulls, l);
      covariance[m * k + l] = (get(covariance, m * k + l) + moved) / (boots + FLOOR_BOOTS);
      covariance[l * k + m] = get(covariance, m * k + l);
    }
  }
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
 * @param {{ logDeterminant: number, shares: [number, number] }} noise
 * @returns {number} log-likelihood
 */
function expect({ boots, metrics, spread, side }, work, { logDeterminant, shares }) {
  const { states, belongs, weights, residuals, precision, gap } = work;
  const k = metrics.length;
  const apart = quadratic(gap, { matrix: precision, size: k });
  let total = boots * (logDensityConstant(k) - logDeterminant / 2);
  for (let boot = 0; boot < boots; boot++) {
    const wide = get(spread, boot);
    const share = side[boot] === 1 ? shares[1] : shares[0];
    let zero = 0;
    let across = 0;
    for (let m = 0; m < k; m++) {
      let scaled = 0;
      for (let l = 0; l < k; l++) scaled += get(precision, m * k + l) * get(residuals, boot * k + l);
      zero += get(residuals, boot * k + m) * scaled;
      across += get(gap, m) * scaled;
    }
    const first = boot * states;
    let sum = 0;
    for (let row = first; row < first + states; row++) {
      const distance = (row > first ? zero - 2 * across + apart : zero) / wide;
      weights[row] = (TAIL + k) / (TAIL + distance);
      const prior = states === 1 ? 1 : row > first ? share : 1 - share;
      const density = prior / halfPower(1 + distance / TAIL, TAIL + k);
      belongs[row] = density;
      sum += density;
    }
    for (let row = first; row < first + states; row++) belongs[row] = get(belongs, row) / sum;
    total += Math.log(sum) - (wide === 1 ? 0 : (k / 2) * Math.log(wide));
  }
  return total;
}

/**
 * Much cheaper than Math.pow, and this is the innermost loop.
 * @param {number} base
 * @param {number} halves
 * @returns {number} base to the power of halves / 2
 */
function halfPower(base, halves) {
  let out = halves % 2 === 1 ? Math.sqrt(base) : 1;
  for (let i = 1; i < halves; i += 2) out *= base;
  return out;
}

/**
 * Of the multivariate t density.
 * @param {number} k dimensions
 */
function logDensityConstant(k) {
  return jstat.gammaln((TAIL + k) / 2) - jstat.gammaln(TAIL / 2) - (k / 2) * Math.log(TAIL * Math.PI);
}
