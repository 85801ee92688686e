/**
 * What to type where a comparison is unsure.
 * @import { Comparison, Reason, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { decisiveOf } from '../text/change.js';

/** Nobody waits longer for an answer; what takes more wants another remedy than time. */
const LONGEST_SECONDS = 2 * 60 * 60;

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string | undefined} the option with which a run would about settle it; undefined where none is known to
 */
export function rerunOption(run, comparison) {
  const { cases, method } = comparison;
  const isBudgeted = run.looks || run.warnings?.some(({ code }) => code === 'budget-ended');
  const more = cases.flatMap((of) =>
    of.verdict === 'unsure' ? moreRoundsOf(decisiveOf(of, comparison)?.why) : [],
  );
  const trials = run.cases.flatMap((of) => of.trials);
  const rounds = Math.max(0, ...trials.map(({ round }) => round + 1));
  if (method !== 'side-by-side' || more.length === 0 || rounds === 0) return undefined;
  const wanted = rounds + Math.max(...more);
  const windows = trials.flatMap((trial) => trial.windows);
  const spent = Math.max(0, ...windows.map(({ at = 0, seconds }) => at + seconds));
  const seconds = (spent / rounds) * wanted;
  if (seconds > LONGEST_SECONDS) return undefined;
  // Who counted the rounds goes on counting.
  return isBudgeted ? `--budget ${Math.ceil(seconds / 60)}m` : `--rounds ${wanted}`;
}

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {string | undefined} what would settle what is unsure; undefined where nothing is
 */
export function rerunHint(run, comparison, words) {
  const option = rerunOption(run, comparison);
  if (option !== undefined) return words.changes.settle(option);
  const isOpen = comparison.cases.some(
    (of) => of.verdict === 'unsure' && moreRoundsOf(decisiveOf(of, comparison)?.why).length > 0,
  );
  return isOpen && comparison.method === 'side-by-side' ? words.changes.unsettled : undefined;
}

/** @param {Reason | undefined} why */
function moreRoundsOf(why) {
  return why && 'moreRounds' in why && why.moreRounds !== undefined ? [why.moreRounds] : [];
}
