/** Where a list of rounds lies, with the uncertainty of that. */

import jstat from 'jstat';

/** How sure one must be that a round is wrecked before it is left out; at most a third of the rounds are. */
export const WRECKED = 0.001;
/** Of fewer, no round can be called far off. */
export const LEAST_ROUNDS_TO_TELL = 5;
/** Equal figures leave no spread at all; a figure is still not better than its last digit. */
export const LAST_DIGIT = 1e-6;

/**
 * effect: the mean; error: its standard error; df: of the error, 0 where one round tells nothing of its spread; rounds: kept;
 * wrecked: left out; boot, window: standard deviations of one round's own part and of one pair of neighbours in it.
 * @typedef {{ effect: number, error: number, df: number, rounds: number, wrecked: number, boot: number, window: number }} Location
 */

/**
 * The mean over rounds with Student's t. A round whose boots were wrecked, or fell into unlike states, would widen the interval
 * for nothing: rounds that lie off beyond any doubt are left out first, whichever way they lie.
 * @param {number[][]} rounds a list for each round: the differences of its neighbours
 * @returns {Location | undefined} undefined where there is none
 */
export function locate(rounds) {
  const filled = rounds.filter((pairs) => pairs.length > 0);
  if (filled.length === 0) return undefined;
  const kept = withoutWrecked(filled.map(mean));
  const df = kept.length - 1;
  const variance = df > 0 ? varianceOf(kept) : 0;
  const freedom = filled.reduce((sum, pairs) => sum + pairs.length - 1, 0);
  const squares = filled.reduce((sum, pairs) => sum + squaresOf(pairs), 0);
  const window = freedom > 0 ? Math.sqrt(squares / freedom) : 0;
  const pairs = filled.reduce((sum, each) => sum + each.length, 0) / filled.length;
  return {
    effect: mean(kept),
    error: Math.sqrt(variance / kept.length) + LAST_DIGIT,
    df,
    rounds: kept.length,
    wrecked: filled.length - kept.length,
    boot: Math.sqrt(Math.max(0, variance - window ** 2 / pairs)),
    window,
  };
}

/**
 * The generalised extreme Studentized deviate test: the farthest value is taken off, then the next, and all are left out up
 * to the last that was too far for normal noise.
 * Source: B. Rosner, "Percentage points for a generalized ESD many-outlier procedure", Technometrics 25 (1983).
 * @param {number[]} values
 * @returns {number[]} those that are no outliers
 */
export function withoutWrecked(values) {
  let kept = values;
  let left = values;
  for (let i = 1; i <= values.length / 3 && left.length >= LEAST_ROUNDS_TO_TELL; i++) {
    const centre = mean(left);
    const spread = Math.sqrt(varianceOf(left));
    const off = left.map((value) => Math.abs(value - centre));
    const farthest = Math.max(...off);
    if (!(spread > 0)) break;
    const isFar = chanceToLieAsFar(farthest / spread, left.length) < WRECKED / 2 / left.length;
    left = left.filter((_, place) => place !== off.indexOf(farthest));
    if (isFar) kept = left;
  }
  return kept;
}

/**
 * F. E. Grubbs, "Sample criteria for testing outlying observations", Ann. Math. Statist. 21 (1950).
 * @param {number} deviation from the mean, in standard deviations
 * @param {number} n values
 * @returns {number}
 */
function chanceToLieAsFar(deviation, n) {
  const rest = (n - 1) ** 2 / n - deviation ** 2;
  if (rest <= 0) return 0;
  return jstat.studentt.cdf(-Math.sqrt(((n - 2) * deviation ** 2) / rest), n - 2);
}

/**
 * @param {number[]} values one at least
 * @returns {number}
 */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @param {number[]} values two at least
 * @returns {number}
 */
export function varianceOf(values) {
  return squaresOf(values) / (values.length - 1);
}

/** @param {number[]} values */
function squaresOf(values) {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
