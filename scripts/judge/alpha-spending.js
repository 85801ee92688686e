/**
 * How much of a report's risk each look at a growing run may spend, so that the promise holds however often it is looked at.
 * @import { Case, Comparison, Plan, Run } from '../types.js'
 */

import { decides } from '../samples/metrics.js';

/** The promise: false alarms in this share of all reports at most. */
export const FALSE_ALARMS = 0.01;

/** When a run that may end early is looked at: before these shares of its budget are over, and at its end. */
export const LOOKS = [0.1, 0.2, 0.3, 0.6];

/**
 * How much of the risk is spent by each of them: little by the first, which is for what is large and for `same`, nearly half by the
 * second, after a minute of five, and a fifth is left for the end.
 */
export const SPENT = [0.05, 0.45, 0.6, 0.8];

/** Fewer rounds have too little to say to spend any risk on them. */
export const LEAST_ROUNDS = 4;

/**
 * Each look spends what the spending function has risen by since the look before; the chance of a false alarm at any of them
 * is at most the sum, whatever the looks have in common (Bonferroni), and so at most the whole risk.
 * Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983).
 * @param {number} [risk]
 * @returns {(share: number) => number} the risk of a look, by the share (0 to 1) of the budget it was due at; to be
 *   asked with growing shares, and with 1 for the last
 */
export function spending(risk = FALSE_ALARMS) {
  let spent = 0;
  return (share) => {
    const due = risk * spentBy(share);
    const alpha = Math.max(0, due - spent);
    spent = Math.max(spent, due);
    return alpha;
  };
}

/**
 * @param {number} share of the budget
 * @returns {number} share of the risk; between looks nothing is spent
 */
function spentBy(share) {
  return share < 1 ? (SPENT[LOOKS.findLastIndex((look) => look <= share)] ?? 0) : 1;
}

/**
 * Machines that measure one run between them share its risk: each looks at its own cases before anybody sees all.
 * @param {{ cases: Pick<Case, 'reference'>[], shard?: Plan['shard'] }} part
 * @returns {number} this machine's, by how many of the cases are its own
 */
export function riskOfPart({ cases, shard }) {
  const own = cases.filter(({ reference }) => !reference).length;
  if (!shard || own === 0) return FALSE_ALARMS;
  const all = Math.max(own, shard.cases.length - (cases.length - own));
  return (FALSE_ALARMS * own) / all;
}

/**
 * @param {Pick<Run, 'cases' | 'shard' | 'looks'>} run
 * @returns {number} what the looks at it, while it grew, have left of its risk
 */
export function riskLeft(run) {
  const riskOf = spending(riskOfPart(run));
  for (const share of run.looks ?? []) riskOf(share);
  return riskOf(1);
}

/**
 * A case that a look decided got no more boots, and stays decided by the risk which that look spent.
 * @param {Pick<Run, 'cases' | 'shard' | 'looks'>} run
 * @param {number} share of the look
 * @returns {number}
 */
export function riskAt(run, share) {
  const riskOf = spending(riskOfPart(run));
  const looks = (run.looks ?? []).filter((look) => look <= share);
  return looks.map(riskOf).at(-1) ?? 0;
}

/**
 * @param {Comparison} comparison
 * @returns {Set<string>} ids of the cases that more boots are not needed for
 */
export function decidedCases({ cases }) {
  const decided = cases.filter(
    ({ verdict, only, metrics }) =>
      only ||
      verdict === 'failed' ||
      (verdict !== 'unsure' && metrics.some((of) => decides(of) && of.verdict !== 'unsure')),
  );
  return new Set(decided.map(({ id }) => id));
}
