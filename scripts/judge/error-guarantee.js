/**
 * What a comparison promises, and where it lies outside of what the promise was tried on.
 * @import { Comparison, Limit } from '../types.js'
 * @import { Finding } from './verdicts.js'
 */

import { FALSE_ALARMS, LEAST_ROUNDS } from './alpha-spending.js';

/** Runs whose spread is known well enough to go without a guess. */
export const ENOUGH_RUNS = 8;

/**
 * @param {{ method: Comparison['method'], findings: Finding[], runs?: number | undefined, crowded: boolean }} facts runs: stored
 *   ones in the base; crowded: whether others had more of the machine than in any recording the promise was tried on
 * @returns {NonNullable<Comparison['promise']>}
 */
export function promiseOf({ method, findings, runs = 1, crowded }) {
  const rounds = Math.min(...findings.map((finding) => finding.rounds));
  /** @type {(Limit | false)[]} */
  const outside = [
    method === 'side-by-side' && rounds < LEAST_ROUNDS && { code: 'few-rounds', least: LEAST_ROUNDS },
    method === 'stored' && runs < ENOUGH_RUNS && { code: 'few-runs', runs },
    crowded && { code: 'crowded' },
  ];
  return { falseAlarms: FALSE_ALARMS, outside: outside.filter((limit) => limit !== false) };
}
