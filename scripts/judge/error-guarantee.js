/**
 * What a comparison promises, and where it lies outside of what the promise was tried on.
 * @import { Comparison, Limit } from '../types.js'
 * @import { Effect } from './effects.js'
 */

import { FALSE_ALARMS, LEAST_ROUNDS } from './alpha-spending.js';

/** Of so many stored runs the spread is known well enough without a guess. */
export const ENOUGH_RUNS = 8;

/**
 * @param {object} facts
 * @param {Comparison['method']} facts.method
 * @param {Effect[]} facts.effects
 * @param {number | undefined} facts.runs how many stored runs the base is made of
 * @param {boolean} facts.crowded whether other programs had more of the machine than in any recording the promise was tried on
 * @returns {NonNullable<Comparison['promise']>}
 */
export function promiseOf({ method, effects, runs = 1, crowded }) {
  const rounds = Math.min(...effects.map((effect) => effect.rounds));
  /** @type {(Limit | false)[]} */
  const limits = [
    method === 'side-by-side' && rounds < LEAST_ROUNDS && { code: 'few-rounds', least: LEAST_ROUNDS },
    method === 'stored' && runs < ENOUGH_RUNS && { code: 'few-runs', runs },
    crowded && { code: 'crowded' },
  ];
  return { falseAlarms: FALSE_ALARMS, outside: limits.filter((limit) => limit !== false) };
}
