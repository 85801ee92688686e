/**
 * Suggests the option that would decide an unsure comparison.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { decisiveChange } from '../../judge/case-verdict.js';

/** Nobody waits longer for an answer. */
const LONGEST_SECONDS = 2 * 60 * 60;

/**
 * @param {Run} run @param {Comparison} comparison
 * @returns {{ option: string | undefined, decided: number, all: number }} the option with which a run would about settle so many
 *   of all unsure cases that more rounds can settle; undefined where none is known to
 */
export function rerunOption(run, comparison) {
  const more = moreRoundsOf(comparison);
  const trials = run.cases.flatMap((runCase) => runCase.trials);
  const rounds = Math.max(0, ...trials.map(({ round }) => round + 1));
  const windows = trials.flatMap((trial) => trial.windows);
  const spent = Math.max(0, ...windows.map(({ at = 0, seconds }) => at + seconds));
  const secondsOf = (/** @type {number} */ extra) => (spent / rounds) * (rounds + extra);
  const within = more.filter((extra) => secondsOf(extra) <= LONGEST_SECONDS);
  const most = Math.max(...within);
  // A run with a fixed number of rounds gets more rounds.
  const isBudgeted = run.looks || run.warnings?.some(({ code }) => code === 'budget-ended');
  const option = isBudgeted ? `--budget ${Math.ceil(secondsOf(most) / 60)}m` : `--rounds ${rounds + most}`;
  return { option: within.length > 0 ? option : undefined, decided: within.length, all: more.length };
}

/**
 * @param {Run} run @param {Comparison} comparison @param {Words} words
 * @returns {string | undefined} what would settle what is unsure; undefined where nothing is
 */
export function rerunHint(run, comparison, { changes }) {
  const { option, decided, all } = rerunOption(run, comparison);
  const most = LONGEST_SECONDS / 3600;
  if (option !== undefined) return changes.settle(option, { decided, all, most });
  return all > 0 ? changes.unsettled(most) : undefined;
}

/** @param {Comparison} comparison @returns {number[]} the rounds that would settle each unsure case, measured side by side */
function moreRoundsOf(comparison) {
  if (comparison.method !== 'side-by-side') return [];
  return comparison.cases.flatMap((compared) => {
    const why = compared.verdict === 'unsure' ? decisiveChange(compared)?.why : undefined;
    return why && 'moreRounds' in why ? (why.moreRounds ?? []) : [];
  });
}
