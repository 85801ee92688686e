/**
 * How the throughput of two cases of one run compares, with the interval that carries it.
 * @import { RunCase, Sample } from '../types.js'
 */

import { LEADING } from '../samples/figures.js';
import { figureIn, samplesOf } from '../samples/samples.js';
import { differencesOf, estimate, halfWidth } from './mean-estimate.js';

/** Two loads of one run that differ by less count as alike; no verdict rests on it. */
export const NEGLIGIBLE = 0.05;

/** A quotient or a mean, and the ends of its 95 % interval. @typedef {{ value: number, low: number, high: number }} Quotient */

/**
 * @param {RunCase} runCase @param {RunCase} other
 * @returns {Quotient | undefined} the case's throughput over the other's; undefined where fewer than two rounds show it
 */
export function quotientOf(runCase, other) {
  return quotientOfSamples(samplesOf(runCase.trials), samplesOf(other.trials));
}

/** @param {Sample[]} samples @param {Sample[]} others @returns {ReturnType<typeof quotientOf>} */
export function quotientOfSamples(samples, others) {
  return quotient(differencesOf(others, samples, LEADING.id));
}

/**
 * What was published says faster, slower or alike; here, the interval says the same, something else, or too little.
 * @param {number} published a quotient
 * @param {Quotient | undefined} here @returns {'holds' | 'fails' | 'open'}
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
 * @param {RunCase} runCase @param {string} id of a figure above 0
 * @returns {Quotient | undefined} its geometric mean over starts; undefined where fewer than two starts know it, or one does not
 */
export function levelOf({ trials }, id) {
  const starts = trials.filter(({ failure }) => !failure);
  return quotient(starts.map(({ windows }) => [Math.log(figureIn(id, windows) ?? NaN)]));
}

/** @param {number[][]} rounds logarithms @returns {Quotient | undefined} */
function quotient(rounds) {
  const located = estimate(rounds);
  if (!located || located.df <= 0 || !Number.isFinite(located.effect)) return undefined;
  const { effect } = located;
  const half = halfWidth(located);
  return { value: Math.exp(effect), low: Math.exp(effect - half), high: Math.exp(effect + half) };
}
