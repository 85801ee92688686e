/**
 * What an interrupted run has measured, as the conductor resumes it. Pure.
 * @import { FailureKind, Plan, Run, Trial } from '../types.js'
 * @import { Known } from './remaining-work.js'
 */

import { isWhole, wantedIn } from './remaining-work.js';

/**
 * @typedef {object} Earlier
 * @property {Trial[][][]} trials by side and case
 * @property {Set<string>} decided ids of cases
 * @property {number} lastLook the last share at which it was judged; 0 before the first
 * @property {number} seconds how long it had measured
 */

/**
 * Trials that could not be prepared or were cancelled are repeated, and so is all that ran beside them.
 * @param {Plan} plan
 * @param {Run[]} runs of this very plan, one a side
 * @returns {Earlier}
 */
export function earlierOf(plan, runs) {
  const trials = plan.sides.map((_, side) =>
    plan.cases.map(({ id }) => {
      const measured = runs[side]?.cases.find((measured) => measured.id === id)?.trials ?? [];
      return measured.filter(({ failure }) => !failure || !isRepeated(failure.kind));
    }),
  );
  const decided = new Set(
    runs[0]?.cases.flatMap(({ id, decidedAt }) => (decidedAt === undefined ? [] : [id])),
  );
  const windows = trials.flat(2).flatMap((trial) => trial.windows);
  return {
    trials: wholeGroups(plan, { trials, decided }),
    decided,
    lastLook: runs[0]?.looks?.at(-1) ?? 0,
    seconds: Math.max(0, ...windows.map(({ at = 0, seconds }) => at + seconds)),
  };
}

/** @param {FailureKind} kind */
function isRepeated(kind) {
  return kind.endsWith('-failed') || kind === 'cancelled';
}

/**
 * @param {Plan} plan
 * @param {Known} known
 * @returns {Trial[][][]} by side and case, without the trials of groups that were measured in part
 */
function wholeGroups(plan, { trials, decided }) {
  const partial = plan.order.map((_, round) =>
    wantedIn(round, plan, { trials, decided })
      .filter((group) => !isWhole(group, round, trials))
      .flat(),
  );
  return trials.map((cases, side) =>
    cases.map((measured, index) =>
      measured.filter(
        ({ round }) => !partial[round]?.some((step) => step.side === side && step.case === index),
      ),
    ),
  );
}
