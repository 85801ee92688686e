/**
 * How much of a report's risk each look at a growing run may spend, so that the promise holds however often it is looked at.
 * @import { Comparison } from '../types.js'
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
 * @param {Comparison} comparison
 * @returns {Set<string>} ids of the cases that more boots are not needed for
 */
export function decidedCases({ cases }) {
  return new Set(cases.filter(({ verdict, only }) => verdict !== 'unsure' || only).map(({ id }) => id));
}
