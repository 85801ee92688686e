/**
 * The promise about false alarms, and how much alpha each look at a growing run may spend to keep it.
 * @import { Case, Comparison, Limit, Plan, Run, RunCase } from '../types.js'
 * @import { Effect } from './effects.js'
 */

import { decides } from '../samples/figures.js';

/** The promise: false alarms in this share of all reports at most. */
export const FALSE_ALARMS = 0.01;
/** A run that may end early is looked at before these shares of its budget are over, and at its end. */
export const LOOKS = [0.1, 0.2, 0.3, 0.4, 0.6, 0.8];
/**
 * The share of alpha that is spent after each look: little by the first, which is for large changes and for `same`, nearly half
 * by the second, after a minute of five, and an eighth is left for the end.
 */
export const SPENT = [0.05, 0.44, 0.57, 0.68, 0.78, 0.87];
/** Fewer rounds show too little to spend any alpha on them. */
export const LEAST_ROUNDS = 4;
/** With this many stored runs the spread is known well enough without a guess. */
export const ENOUGH_RUNS = 8;

/**
 * A look spends what the spending function rises by since the look before; the chance of a false alarm at any of them is at most
 * the sum (Bonferroni), and so at most the whole alpha.
 * Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983).
 * @param {Parameters<typeof wholeAlpha>[0]} [part]
 * @returns {(share: number) => number} the alpha of a look by the share (0 to 1) of the budget it was due at; call it with
 *   rising shares, and with 1 for the end
 */
export function spending(part = { cases: [] }) {
  const whole = wholeAlpha(part);
  let spent = 0;
  return (share) => {
    const due = whole * (share < 1 ? (SPENT[LOOKS.findLastIndex((look) => look <= share)] ?? 0) : 1);
    const alpha = Math.max(0, due - spent);
    spent = Math.max(spent, due);
    return alpha;
  };
}

/**
 * @param {{ cases: Pick<Case, 'reference'>[], shard?: Plan['shard'] }} part the part of one machine of several, which has alpha by its
 *   share of the cases
 * @returns {number}
 */
export function wholeAlpha({ cases, shard }) {
  const own = cases.filter(({ reference }) => !reference).length;
  return shard && own > 0 ? (FALSE_ALARMS * own) / shard.cases.length : FALSE_ALARMS;
}

/**
 * A case that a look decided is no longer measured, and stays decided by the alpha of that look.
 * @param {Pick<Run, 'cases' | 'shard' | 'looks'>} run
 * @param {number} [given] the alpha of a look that is being taken; absent: what the looks have left
 * @returns {{ whole: number, ofCase: (measured: Pick<RunCase, 'decidedAt'>) => number }}
 */
export function alphaOf(run, given) {
  const { looks = [] } = run;
  const whole = given ?? alphaOfLook({ ...run, looks: [...looks, 1] });
  return {
    whole,
    ofCase: ({ decidedAt }) => {
      if (given !== undefined || decidedAt === undefined) return whole;
      return alphaOfLook({ ...run, looks: looks.filter((look) => look <= decidedAt) }) || whole;
    },
  };
}

/**
 * It counts the looks of the run file, so that a resumed run spends nothing twice.
 * @param {Pick<Run, 'cases' | 'shard' | 'looks'>} run @returns {number} the alpha of its last look; 0 without looks
 */
export function alphaOfLook({ looks = [], ...part }) {
  return looks.map(spending(part)).at(-1) ?? 0;
}

/** @param {Comparison} comparison @returns {Set<string>} ids of the cases that need no more starts */
export function decidedCases({ cases }) {
  const decided = cases.filter(
    ({ verdict, only, metrics }) =>
      only ||
      verdict === 'failed' ||
      (verdict !== 'unsure' && metrics.some((change) => decides(change) && change.verdict !== 'unsure')),
  );
  return new Set(decided.map(({ id }) => id));
}

/**
 * @param {{ method: Comparison['method'], effects: Effect[], runs: number | undefined, crowded: boolean }} facts
 *   runs: stored runs in the base; crowded: other programs used more of the machine than in any recording the promise was tried on
 * @returns {NonNullable<Comparison['promise']>} with the reasons why it may not hold
 */
export function promiseOf({ method, effects, runs = 1, crowded }) {
  const isShort = method === 'side-by-side' && effects.some(({ rounds }) => rounds < LEAST_ROUNDS);
  /** @type {Limit[]} */
  const outside = [
    ...(isShort ? [{ code: /** @type {const} */ ('few-rounds'), least: LEAST_ROUNDS }] : []),
    ...(method === 'stored' && runs < ENOUGH_RUNS ? [{ code: /** @type {const} */ ('few-runs'), runs }] : []),
    ...(crowded ? [{ code: /** @type {const} */ ('crowded') }] : []),
  ];
  return { falseAlarms: FALSE_ALARMS, outside };
}
