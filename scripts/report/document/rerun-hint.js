/**
 * Suggests the option that would decide an unsure comparison.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { decisiveOf } from '../text/change.js';

/** Nobody waits longer for an answer. */
const LONGEST_SECONDS = 2 * 60 * 60;

/**
 * @param {Run} run @param {Comparison} comparison
 * @returns {string | undefined} the option with which a run would about settle it; undefined where none is known to
 */
export function rerunOption(run, comparison) {
  const more = moreRoundsOf(comparison);
  const trials = run.cases.flatMap((runCase) => runCase.trials);
  const rounds = Math.max(0, ...trials.map(({ round }) => round + 1));
  if (more.length === 0 || rounds === 0) return undefined;
  const wanted = rounds + Math.max(...more);
  const windows = trials.flatMap((trial) => trial.windows);
  const spent = Math.max(0, ...windows.map(({ at = 0, seconds }) => at + seconds));
  const seconds = (spent / rounds) * wanted;
  if (seconds > LONGEST_SECONDS) return undefined;
  // A run with a fixed number of rounds gets more rounds.
  const isBudgeted = run.looks || run.warnings?.some(({ code }) => code === 'budget-ended');
  return isBudgeted ? `--budget ${Math.ceil(seconds / 60)}m` : `--rounds ${wanted}`;
}

/**
 * @param {Run} run @param {Comparison} comparison @param {Words} words
 * @returns {string | undefined} what would settle what is unsure; undefined where nothing is
 */
export function rerunHint(run, comparison, words) {
  const option = rerunOption(run, comparison);
  if (option !== undefined) return words.changes.settle(option);
  return moreRoundsOf(comparison).length > 0 ? words.changes.unsettled : undefined;
}

/** @param {Comparison} comparison @returns {number[]} the rounds that would settle each unsure case, measured side by side */
function moreRoundsOf(comparison) {
  if (comparison.method !== 'side-by-side') return [];
  return comparison.cases.flatMap((compared) => {
    const why = compared.verdict === 'unsure' ? decisiveOf(compared, comparison)?.why : undefined;
    return why && 'moreRounds' in why ? (why.moreRounds ?? []) : [];
  });
}
