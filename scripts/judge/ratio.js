/**
 * How the throughput of two cases of one run compares, with the interval that carries it.
 * @import { RunCase } from '../types.js'
 * @import { Location } from './mean-estimate.js'
 */

import { LEADING } from '../samples/metrics.js';
import { goodTrials } from './effects.js';
import { locate } from './mean-estimate.js';
import { differencesOf, neighboursOf } from './paired-windows.js';
import { BEYOND, reach } from './verdicts.js';

/** A difference up to this share is none to speak of. */
export const NEGLIGIBLE = 0.05;

/** value: the quotient, or the mean; low, high: the ends of its interval. @typedef {{ value: number, low: number, high: number }} Quotient */

/**
 * @param {RunCase} one
 * @param {RunCase} other
 * @returns {Quotient | undefined} the one's over the other's; undefined where fewer than two rounds tell
 */
export function quotientOf(one, other) {
  const rounds = neighboursOf(goodTrials(other.trials), goodTrials(one.trials));
  return quotient(locate(differencesOf(rounds, LEADING.id)));
}

/**
 * What was published says faster, slower or alike; here, the interval says the same, something else, or too little.
 * @param {number} published a quotient
 * @param {Quotient | undefined} here
 * @returns {'holds' | 'fails' | 'open'}
 */
export function conclusionOf(published, here) {
  if (!here) return 'open';
  const least = 1 - NEGLIGIBLE;
  const isWithin = here.low > least && here.high < 1 / least;
  const isFaster = here.low > 1;
  const isSlower = here.high < 1;
  if (published >= least && published <= 1 / least) {
    if (isWithin) return 'holds';
    return here.high < least || here.low > 1 / least ? 'fails' : 'open';
  }
  if (published < 1 ? isSlower : isFaster) return 'holds';
  return isWithin || isFaster || isSlower ? 'fails' : 'open';
}

/**
 * @param {number[]} values one a boot, above 0
 * @returns {Quotient | undefined} their geometric mean; undefined where fewer than two boots tell
 */
export function levelOf(values) {
  return quotient(locate(values.map((value) => [Math.log(value)])));
}

/** @param {Location | undefined} found of logarithms */
function quotient(found) {
  if (!found || found.df <= 0 || !Number.isFinite(found.effect)) return undefined;
  const half = reach(found, BEYOND);
  const [value, low, high] = [found.effect, found.effect - half, found.effect + half].map(Math.exp);
  return /** @type {Quotient} */ ({ value, low, high });
}
