/**
 * How much of a report's risk each look at a growing run may spend, so that the promise holds however often it is looked at.
 * @import { Case, Comparison, Plan, Run } from '../types.js'
 */

/** The promise: false alarms in this share of all reports at most. */
export const FALSE_ALARMS = 0.01;

/** When a run that may end early is looked at: after these shares of its budget, and at its end. */
export const LOOKS = [1 / 4, 1 / 2, 3 / 4];

/**
 * Each look spends what the spending function rho * t^2 has risen by since the look before; the chance of a false alarm
 * at any of them is at most the sum, whatever the looks have in common (Bonferroni), and so at most the whole risk.
 * Sources: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983);
 * K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the type I error spending rate
 * function", Biometrika 74 (1987), for the family of powers.
 * @param {number} [risk]
 * @returns {(share: number) => number} the risk of a look, by the share (0 to 1) of the budget it was due at; to be
 *   asked with growing shares, and with 1 for the last
 */
export function spending(risk = FALSE_ALARMS) {
  let spent = 0;
  return (share) => {
    const due = risk * Math.min(1, share) ** 2;
    const alpha = Math.max(0, due - spent);
    spent = Math.max(spent, due);
    return alpha;
  };
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
 * @param {Comparison} comparison
 * @returns {Set<string>} ids of the cases that more boots are not needed for
 */
export function decidedCases({ cases }) {
  return new Set(cases.filter(({ verdict, only }) => verdict !== 'unsure' || only).map(({ id }) => id));
}
