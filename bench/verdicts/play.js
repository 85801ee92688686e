/**
 * A run as it happens: rounds are added, and looked at, until it is decided.
 * @import { Comparison, Run, Trial } from '../../scripts/types.js'
 */

import { compare } from '../../scripts/judge/compare.js';
import * as looks from '../../scripts/judge/alpha-spending.js';
import { LEAST_ROUNDS } from '../../scripts/model/times.js';
import { lookDue } from '../../scripts/run/next-action.js';
import { runOf } from './recordings.js';

/** The judge as it is; the bench also plays with changed copies of it. */
export const JUDGE = { compare, looks };

/**
 * @param {{ base: Trial[], head: Trial[] }} trials as many rounds as there are
 * @param {{ roundSeconds: number, budgetSeconds: number, margin?: number, judge?: typeof JUDGE }} how
 * @returns {{ comparison: Comparison, seconds: number }} seconds: when it was decided, or the budget was
 *   spent
 */
export function play({ base, head }, { roundSeconds, budgetSeconds, margin = 0.05, judge = JUDGE }) {
  const { LOOKS, alphasOfLooks, decidedCases } = judge.looks;
  const most = Math.min(base.length, Math.floor(budgetSeconds / roundSeconds));
  /** @type {number[]} */
  const looks = [];
  for (let rounds = LEAST_ROUNDS; ; rounds++) {
    const next = ((rounds + 1) * roundSeconds) / budgetSeconds;
    const due = rounds >= most ? 1 : lookDue(LOOKS, { lastLook: looks.at(-1) ?? 0, next });
    if (due === undefined) continue;
    looks.push(due);
    const sofar = [base, head].map((trials) => runOf('side', trials.slice(0, rounds)));
    const [one, other] = /** @type {[Run, Run]} */ (sofar);
    const comparison = judge.compare(one, other, {
      margin,
      alpha: alphasOfLooks({ looks, cases: one.cases }).at(-1),
    });
    if (due === 1 || decidedCases(comparison).size > 0) return { comparison, seconds: rounds * roundSeconds };
  }
}
