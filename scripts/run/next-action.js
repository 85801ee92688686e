/**
 * Decides what the conductor does next: measure a round, look at the results, or end. Pure.
 * @import { Case, Plan, Step, Trial } from '../types.js'
 */

import { sum } from 'd3-array';
import { isWhole, lookDue, wantedIn } from './remaining-work.js';

/**
 * @typedef {object} Looks
 * @property {number[]} shares of the budget, or of the rounds, at which results are judged (0 to 1)
 * @property {number} leastRounds no look before so many rounds
 */

/**
 * @typedef {object} Situation
 * @property {Trial[][][]} trials by side and case
 * @property {Set<string>} decided ids of cases that need no more boots
 * @property {number} rounds how many rounds are over
 * @property {boolean} isNew whether a round was measured since the last look
 * @property {number} lastLook share of the last look; 0 before the first
 * @property {number} elapsed seconds since measuring began
 * @property {(measured: Case) => number} secondsOf how long the next boot of a case will take
 */

/**
 * @typedef {{ type: 'measure', round: number, groups: Step[][] }
 *   | { type: 'look', share: number }
 *   | { type: 'end', reason: 'complete' | 'decided' | 'budget', rounds: number }} Action
 */

/**
 * @param {Plan} plan
 * @param {Situation} situation
 * @param {Looks} [looks] absent: results are never looked at
 * @returns {Action} groups of `measure`: without what an interrupted run has measured, and without what is decided or hopeless
 */
export function nextAction(plan, situation, looks) {
  const { cases, order, budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  const { trials, rounds, isNew, lastLook, elapsed, secondsOf } = situation;
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (cases[step.case]);
  const endOf = (/** @type {Step[][]} */ groups) =>
    elapsed + sum(groups.flat(), (step) => secondsOf(caseOf(step)));

  if (looks && isNew && rounds >= looks.leastRounds) {
    const endOfNext = endOf(wantedIn(rounds, plan, situation));
    const next = Math.max(endOfNext / budgetSeconds, (rounds + 1) / order.length);
    const share = lookDue(looks.shares, { lastLook, next });
    if (share !== undefined) return { type: 'look', share };
  }
  const hasOnlyReferences = cases.every(({ reference }) => reference);
  for (let round = rounds; round < order.length; round++) {
    const wanted = wantedIn(round, plan, situation);
    if (wanted.flat().every((step) => caseOf(step).reference && !hasOnlyReferences))
      return { type: 'end', reason: 'decided', rounds: round };
    const groups = wanted.filter((group) => !isWhole(group, round, trials));
    if (groups.length === 0) continue;
    if (round > 0 && endOf(groups) > budgetSeconds) return { type: 'end', reason: 'budget', rounds: round };
    return { type: 'measure', round, groups };
  }
  return { type: 'end', reason: 'complete', rounds: order.length };
}
