/**
 * What a comparison promises, and where it lies outside of what the promise was tried on.
 * @import { Comparison } from '../types.js'
 * @import { Finding } from './verdicts.js'
 */

import { FALSE_ALARMS, LEAST_ROUNDS } from './looks.js';

/** Runs whose spread is known well enough to go without a guess. */
export const ENOUGH_RUNS = 8;

/**
 * @param {{ method: Comparison['method'], findings: Finding[], runs?: number | undefined, crowded: boolean }} facts runs: stored
 *   ones in the base; crowded: whether others had more of the machine than in any recording the promise was tried on
 * @returns {string}
 */
export function promiseOf({ method, findings, runs = 1, crowded }) {
  const rounds = Math.min(...findings.map((finding) => finding.rounds));
  const outside = [
    method === 'side-by-side' && rounds < LEAST_ROUNDS && `fewer than ${LEAST_ROUNDS} rounds`,
    method === 'stored' &&
      runs < ENOUGH_RUNS &&
      `${runs} stored run${runs === 1 ? '' : 's'}: how far runs lie apart is partly a guess`,
    crowded && 'others used most of the machine',
  ].filter(Boolean);
  const promise = `False alarms: at most ${100 * FALSE_ALARMS} report in 100`;
  return outside.length > 0
    ? `${promise}, but this run lies outside of what that was tried on (${outside.join('; ')})`
    : promise;
}
