/**
 * The rules that the bench compares: each says of two samples of boots whether the head is slower, faster or neither.
 * @import { Boot } from './recordings.js'
 */

import jstat from 'jstat';
import { compare } from '../../scripts/judge/compare.js';
import { pValue, welch } from '../../scripts/judge/shift.js';
import { runOf, trialOf } from './recordings.js';

/**
 * @typedef {{ speed?: number, latencyToo?: boolean }} Change
 * @typedef {'slower' | 'faster' | 'neither'} Call
 * @typedef {{ name: string, ours?: true, call: (base: Boot[], head: Boot[], change: Change) => Call }} Rule
 */

/** @type {Rule[]} */
export const RULES = [
  { name: 'perf-action', ours: true, call: judged },
  ...[0.05, 0.1, 0.2].map((by) => threshold(`one boot, ${100 * by} %`, 1, 1 + by)),
  ...[1.05, 1.1, 2].map((ratio) =>
    threshold(`mean of all boots, ${Math.round(100 * ratio)} %`, Number.POSITIVE_INFINITY, ratio),
  ),
  { name: "Welch's t, 0.01", call: (...args) => byTest(args, welchP, 0.01) },
  ...[0.05, 0.01].map((alpha) => ({
    name: `Mann-Whitney, ${alpha}`,
    call: (/** @type {[Boot[], Boot[], Change]} */ ...args) => byTest(args, mannWhitneyP, alpha),
  })),
];

/**
 * @param {Boot[]} base
 * @param {Boot[]} head
 * @param {Change} change
 * @returns {Call}
 */
function judged(base, head, change) {
  const before = runOf(
    'base',
    base.map((boot) => trialOf(boot)),
  );
  const after = runOf(
    'head',
    head.map((boot) => trialOf(boot, change)),
  );
  const { verdict } = compare(before, after);
  if (verdict === 'regressed') return 'slower';
  return verdict === 'improved' ? 'faster' : 'neither';
}

/**
 * @param {string} name
 * @param {number} boots how many of them count
 * @param {number} ratio by which the means must differ
 * @returns {Rule}
 */
function threshold(name, boots, ratio) {
  return {
    name,
    call: (base, head, change) => {
      const [from, to] = throughputs(base.slice(0, boots), head.slice(0, boots), change).map(mean);
      if (from === undefined || to === undefined) return 'neither';
      if (from / to > ratio) return 'slower';
      return to / from > ratio ? 'faster' : 'neither';
    },
  };
}

/**
 * @param {[Boot[], Boot[], Change]} args
 * @param {(base: number[], head: number[]) => number} test a two-sided p-value
 * @param {number} alpha
 * @returns {Call}
 */
function byTest([base, head, change], test, alpha) {
  const [from = [], to = []] = throughputs(base, head, change);
  if (test(from, to) > alpha) return 'neither';
  return mean(to) < mean(from) ? 'slower' : 'faster';
}

/**
 * @param {Boot[]} base
 * @param {Boot[]} head
 * @param {Change} change
 */
function throughputs(base, head, { speed = 1 }) {
  const of = (/** @type {Boot} */ { windows }) => mean(windows.map(({ rps }) => rps));
  return [base.map(of), head.map((boot) => speed * of(boot))];
}

/**
 * @param {number[]} base
 * @param {number[]} head
 */
function welchP(base, head) {
  const shift = welch(base, head);
  if (!shift) return 1;
  return pValue({ effect: shift.difference, error: Math.sqrt(shift.variance), df: shift.freedom });
}

/**
 * With the normal approximation, corrected for ties (H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18, 1947).
 * @param {number[]} base
 * @param {number[]} head
 */
function mannWhitneyP(base, head) {
  const [m, n] = [base.length, head.length];
  let u = 0;
  for (const a of base) for (const b of head) u += a > b ? 1 : a === b ? 0.5 : 0;
  /** @type {Map<number, number>} */
  const ties = new Map();
  for (const value of [...base, ...head]) ties.set(value, (ties.get(value) ?? 0) + 1);
  const all = m + n;
  const tied = [...ties.values()].reduce((sum, t) => sum + t ** 3 - t, 0) / (all * (all - 1));
  const deviation = Math.sqrt(((m * n) / 12) * (all + 1 - tied));
  return 2 * jstat.normal.cdf(-Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / deviation, 0, 1);
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
