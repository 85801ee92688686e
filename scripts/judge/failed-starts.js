/**
 * Starts that failed, counted over all starts of both sides. A server that fails in a few starts of a hundred
 * does so on either side, so their numbers are tested.
 * @import { Failure, RunCase, Trial } from '../types.js'
 */

import { sum } from 'd3-array';
import jstat from 'jstat';
import { FAILURES } from '../model/errors.js';

/** @typedef {{ failed: number, of: number }} Share */
/** kinds: of failures on both sides. @typedef {{ kinds: string[], base: Share, head: Share }} FailedStarts */

/**
 * Undefined where none failed.
 * @type {(sides: Record<'base' | 'head', Pick<RunCase, 'trials'>>) => FailedStarts | undefined}
 */
export function failedStarts({ base, head }) {
  const failures = [...base.trials, ...head.trials].filter(hasFailed).flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return undefined;
  const kinds = [...new Set(failures.map(({ kind }) => kind))];
  return { kinds, base: shareOf(base.trials), head: shareOf(head.trials) };
}

/**
 * Undefined where chance may explain it.
 * @type {(counted: FailedStarts, alpha: number) => 'regressed' | 'improved' | undefined}
 */
export function judgeFailedStarts({ base, head }, alpha) {
  if (chanceOf(head, base) <= alpha) return 'regressed';
  return chanceOf(base, head) <= alpha ? 'improved' : undefined;
}

/**
 * Whether its verdict says too little: half of its starts failed or more, or one by no fault of the server.
 * @type {(side: Pick<RunCase, 'trials'>) => boolean}
 */
export function isBarelyMeasured({ trials }) {
  const { failed, of } = shareOf(trials);
  return 2 * failed >= of || trials.some((trial) => trial.failure && !hasFailed(trial));
}

/**
 * R. A. Fisher's exact test, to one side: the chance that as many of all failures, or more, fall to this side
 * where both fail alike often.
 * @type {(worse: Share, better: Share) => number}
 */
export function chanceOf(worse, better) {
  const failures = worse.failed + better.failed;
  const ways = (/** @type {number} */ failed) =>
    jstat.combinationln(worse.of, failed) + jstat.combinationln(better.of, failures - failed);
  const all = jstat.combinationln(worse.of + better.of, failures);
  let chance = 0;
  for (let failed = worse.failed; failed <= Math.min(failures, worse.of); failed++)
    chance += Math.exp(ways(failed) - all);
  return chance;
}

/** With the starts that were only compared as starts. @type {(trials: Trial[]) => Share} */
function shareOf(trials) {
  const again = sum(trials, ({ startups = [] }) => startups.filter(({ sharesCore }) => sharesCore).length);
  const failed = trials.filter(hasFailed).length;
  return { failed, of: failed + again + trials.filter(({ failure }) => !failure).length };
}

/** Whether it was the server's fault. @type {(trial: { failure: Failure | null }) => boolean} */
function hasFailed({ failure }) {
  return FAILURES[failure?.kind ?? '']?.byServer === true;
}
