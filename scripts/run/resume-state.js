/**
 * What an interrupted run has measured, as the conductor goes on with it. Pure.
 * @import { Plan, Run, Trial } from '../types.js'
 * @import { Known } from './remaining-work.js'
 */

import { isWhole, wantedIn } from './remaining-work.js';

/**
 * trials: by side and case; decided: ids of cases; seen: the last share at which it was judged; seconds: how long it had measured.
 * @typedef {{ trials: Trial[][][], decided: string[], seen: number, seconds: number }} Earlier
 */

/**
 * What could not be prepared, or was cancelled, is tried again, and so is all that was alive beside it.
 * @param {Plan} plan
 * @param {Run[]} runs of this very plan, one a side
 * @returns {Earlier}
 */
export function earlierOf(plan, runs) {
  const { sides, cases } = plan;
  const trials = sides.map((_, side) =>
    cases.map(({ id }) => {
      const all = runs[side]?.cases.find((of) => of.id === id)?.trials ?? [];
      return all.filter(({ failure }) => !failure || !isAgain(failure.kind));
    }),
  );
  const windows = trials.flat(2).flatMap((trial) => trial.windows);
  const decided = (runs[0]?.cases ?? []).flatMap(({ id, decidedAt }) => (decidedAt === undefined ? [] : id));
  return {
    trials: wholeGroups(plan, { trials, decided: new Set(decided) }),
    decided,
    seen: runs[0]?.looks?.at(-1) ?? 0,
    seconds: Math.max(0, ...windows.map(({ at = 0, seconds }) => at + seconds)),
  };
}

/** @param {import('../types.js').FailureKind} kind */
function isAgain(kind) {
  return kind.endsWith('-failed') || kind === 'cancelled';
}

/**
 * @param {Plan} plan
 * @param {Known} known
 * @returns {Trial[][][]} by side and case, without those of a group that was measured in part
 */
function wholeGroups(plan, { trials, decided }) {
  const halves = plan.order.map((_, round) =>
    wantedIn(round, plan, { trials, decided })
      .filter((group) => !isWhole(group, round, trials))
      .flat(),
  );
  const isHalf = (/** @type {number} */ side, /** @type {number} */ of, /** @type {Trial} */ { round }) =>
    halves[round]?.some((step) => step.side === side && step.case === of);
  return trials.map((cases, side) => cases.map((own, of) => own.filter((trial) => !isHalf(side, of, trial))));
}
