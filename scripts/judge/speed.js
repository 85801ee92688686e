/**
 * The shift of speed between the sides, like compared with like.
 * @import { Fit, SpeedShift, Table } from './shapes.js'
 */

import { add, at, invert, quadratic, remainder } from './linear.js';
import { isOffset, mixOfStates } from './mix.js';
import { designOf, TAIL } from './mixture.js';
import { LAST_DIGIT, upperF } from './shift.js';
import { readStates, speedOf } from './states.js';

/** A reading that is at most e^2 (7) times less likely than the best still counts as possible. */
const NEARLY_AS_GOOD = 2;
/** A boot that all but fixes a coefficient has no residual left to raise; ten times is raised enough. */
const MOST_LEVERAGE = 0.9;
/** Boots so wild that hardly one weighs in full still let this part of a small shift through. */
const LEAST_THROUGH = 0.3;

/**
 * @param {Table} table
 * @param {Fit} [known] a reading of the same boots dealt otherwise
 * @returns {SpeedShift}
 */
export function speedShift(table, known) {
  const [fit, ...others] = /** @type {[Fit, ...Fit[]]} */ (readStates(table, known));
  const k = table.metrics.length;
  const covariance = shiftCovariance(table, fit);
  const effects = Array.from({ length: k }, (_, m) => at(fit.coefficients, k + m));
  const df = Math.max(1, table.boots - (table.spent ?? 0) - fit.columns - (fit.states - 1));
  const t2 = quadratic(Float64Array.from(effects), { matrix: invert(covariance, k).inverse, size: k });
  const shift = speedOf(table, fit, 1);
  const mix = mixOfStates(table, fit);
  const ambiguous =
    (mix !== undefined && isOffset(mix, shift)) ||
    others.some(
      (other) => fit.likelihood - other.likelihood < NEARLY_AS_GOOD && speedOf(table, other, 1) * shift < 0,
    );
  return {
    fit,
    effects,
    errors: effects.map((_, m) => Math.sqrt(at(covariance, m * k + m))),
    df,
    p: hotelling(t2, k, df),
    ambiguous,
    ...(mix && { mix }),
  };
}

/**
 * H. Hotelling, "The generalization of Student's ratio", Ann. Math. Statist. 2 (1931).
 * @param {number} t2
 * @param {number} k how many metrics
 * @param {number} df of one metric's error
 * @returns {number} the chance of a t2 this large or larger where nothing changed
 */
function hotelling(t2, k, df) {
  const second = Math.max(1, df - k + 1);
  return upperF((t2 * second) / (df * k), k, second);
}

/**
 * Sandwich covariance of the shift of a robust regression, each boot's part raised by its leverage (HC2).
 * Sources: P. J. Huber, Robust Statistics (1981), 7.6; J. G. MacKinnon, H. White, J. Econometrics 29 (1985).
 * @param {Table} table
 * @param {Fit} fit
 * @returns {Float64Array}
 */
function shiftCovariance(table, fit) {
  const { boots, metrics, values, spread } = table;
  const { states, columns, coefficients, inverse, belongs, weights } = fit;
  const k = metrics.length;
  const design = designOf(table, states, columns);
  const out = new Float64Array(k * k);
  const part = new Float64Array(k);
  let slope = 0;
  let weight = 0;
  for (let boot = 0; boot < boots; boot++) {
    part.fill(0);
    let leverage = 0;
    for (let state = 0; state < states; state++) {
      const row = boot * states + state;
      const [chance, robust] = [at(belongs, row), at(weights, row)];
      const x = design.subarray(row * columns, row * columns + columns);
      const used = (chance * robust) / at(spread, boot);
      let pull = 0;
      for (let a = 0; a < columns; a++) pull += at(inverse, columns + a) * at(x, a);
      for (let m = 0; m < k; m++) {
        add(part, m, used * pull * remainder(at(values, boot * k + m), x, coefficients, m));
      }
      leverage += used * quadratic(x, { matrix: inverse, size: columns });
      const distance = (TAIL + k) / robust - TAIL;
      slope += chance * (robust - (2 * robust * robust * distance) / ((TAIL + k) * k));
      weight += chance * robust;
    }
    const raise = 1 / (1 - Math.min(leverage, MOST_LEVERAGE));
    for (let m = 0; m < k; m++) {
      for (let l = 0; l < k; l++) add(out, m * k + l, raise * at(part, m) * at(part, l));
    }
  }
  // How much of a small shift the robust weights let through.
  const through = Math.max(LEAST_THROUGH, slope / weight) ** 2;
  for (let m = 0; m < k; m++) {
    for (let l = 0; l < k; l++) out[m * k + l] = at(out, m * k + l) / through;
    // Equal boots leave no spread at all; a figure is still not better than its last digit.
    add(out, m * k + m, LAST_DIGIT);
  }
  return out;
}
