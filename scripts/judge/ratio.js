/**
 * How the throughput of two cases of one run compares, with the interval that carries it.
 * @import { RunCase } from '../types.js'
 * @import { Level } from '../samples/case-figures.js'
 */

import { min } from 'd3-array';
import { figureIn, geometricOf, startsOf } from '../samples/case-figures.js';
import { LEADING } from '../samples/figures.js';
import { sameRounds } from './mean-estimate.js';

/** Two loads of one run that differ by less count as alike; no verdict rests on it. */
export const NEGLIGIBLE = 0.05;

/** A quotient or mean, and its 95 % ends. @typedef {{ value: number, low: number, high: number }} Quotient */

/**
 * Compares starts that ran beside each other. If all starts did, the result is the quotient of the cases'
 * means. Returns the case's throughput over the other's; undefined where no round measured both.
 * @type {(runCase: RunCase, other: RunCase) => Level | undefined}
 */
export function pairedRatio(runCase, other) {
  const rounds = sameRounds(ratesOf(other), ratesOf(runCase));
  if (rounds.length > 0) return geometricOf(rounds.map(([before, after]) => after.rate / before.rate));
  return undefined;
}

/** A run of many loads compares each with each, so no other figure is computed. @param {RunCase} runCase */
function ratesOf(runCase) {
  return startsOf(runCase).map(({ round, block, windows }) => {
    const at = min(windows, (window) => window.at);
    return { round, block, at, rate: figureIn(LEADING.id, windows) ?? NaN };
  });
}

/** Undefined for fewer than two rounds. @type {(runCase: RunCase, other: RunCase) => Quotient | undefined} */
export function quotientOf(runCase, other) {
  const { value = NaN, low, high } = pairedRatio(runCase, other) ?? {};
  return low === undefined || high === undefined ? undefined : { value, low, high };
}

/**
 * What was published says faster, slower or alike; here, the interval says the same, something else, or too
 * little. Both are quotients.
 * @type {(published: number, here: Quotient | undefined) => 'holds' | 'fails' | 'open'}
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
