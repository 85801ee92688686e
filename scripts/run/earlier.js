/**
 * What an interrupted run has measured, as the conductor goes on with it. Pure.
 * @import { Plan, Run, Trial } from '../types.js'
 */

/**
 * trials: by side and case; decided: ids of cases; windows: of each case's last boot, as it had been learned; seen: the last share at which it was judged; seconds: how long it had
 * measured.
 * @typedef {{ trials: Trial[][][], decided: string[], windows: Map<string, number>, seen: number, seconds: number }} Earlier
 */

/**
 * What could not be prepared, or was cancelled, is tried again.
 * @param {Plan} plan
 * @param {Run[]} runs of this very plan, one a side
 * @returns {Earlier}
 */
export function earlierOf({ sides, cases }, runs) {
  const trials = sides.map((_, side) =>
    cases.map(({ id }) => {
      const all = runs[side]?.cases.find((of) => of.id === id)?.trials ?? [];
      return all.filter(({ failure }) => !failure || !isAgain(failure.kind));
    }),
  );
  const windows = trials.flat(2).flatMap((trial) => trial.windows);
  const last = (/** @type {number} */ of) =>
    trials.flatMap((own) => own[of]?.findLast(({ failure }) => failure === null) ?? []);
  return {
    trials,
    decided: (runs[0]?.cases ?? []).flatMap(({ id, decidedAt }) => (decidedAt === undefined ? [] : id)),
    windows: new Map(
      cases.map(({ id }, of) => [id, Math.max(0, ...last(of).map(({ windows: its }) => its.length))]),
    ),
    seen: runs[0]?.looks?.at(-1) ?? 0,
    seconds: Math.max(0, ...windows.map(({ at = 0, seconds }) => at + seconds)),
  };
}

/** @param {import('../types.js').FailureKind} kind */
function isAgain(kind) {
  return kind.endsWith('-failed') || kind === 'cancelled';
}
