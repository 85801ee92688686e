/**
 * What an interrupted run has measured, as the conductor resumes it. Pure.
 * @import { Plan, Run, Step } from '../types.js'
 * @import { Known } from './next-action.js'
 */

import { isWhole, wantedIn } from './next-action.js';

/** lastLook: the last share at which it was judged; seconds: how long it had measured. @typedef {Known & { lastLook: number, seconds: number }} Earlier */

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
      return measured.filter(
        ({ failure }) => !failure?.kind.endsWith('-failed') && failure?.kind !== 'cancelled',
      );
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

/**
 * The reference is in many groups of a round, so its trials do not show that a group was begun.
 * @param {Plan} plan @param {Known} known @returns {Known['trials']} without the trials of groups that were measured in part
 */
function wholeGroups(plan, { trials, decided }) {
  const isIn = (/** @type {Step[]} */ steps, /** @type {Step} */ other) =>
    steps.some((step) => step.side === other.side && step.case === other.case);
  const ownOf = (/** @type {Step[]} */ group) => {
    const own = group.filter((step) => !plan.cases[step.case]?.reference);
    return own.length > 0 ? own : group;
  };
  const partial = plan.order.map((_, round) => {
    const groups = wantedIn(round, plan, { trials, decided });
    const isMeasured = (/** @type {Step} */ step) => isWhole([step], round, trials);
    const begun = groups.filter((group) => ownOf(group).some(isMeasured) && !group.every(isMeasured)).flat();
    return groups.filter((group) => group.some((step) => isIn(begun, step))).flat();
  });
  return trials.map((cases, side) =>
    cases.map((measured, index) =>
      measured.filter(({ round }) => !isIn(partial[round] ?? [], { side, case: index })),
    ),
  );
}
