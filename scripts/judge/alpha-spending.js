/**
 * The promise about false alarms, and how much alpha each look at a growing run may spend to keep it.
 * @import { Case, Comparison, Config, Limit, MetricComparison, MetricId, Plan, Run,
 *   RunCase } from '../types.js'
 */

import { sum } from 'd3-array';
import jstat from 'jstat';
import { LEAST_ROUNDS } from '../model/times.js';
import { weightOf } from './control-cases.js';
import { decides, isGated, metric } from '../samples/figures.js';

/** The share of reports that may raise a false alarm. */
export const FALSE_ALARMS = 0.01;
/** Shares of the budget at which a run is looked at, beside its end. More looks find changes sooner. */
export const LOOKS = [0.1, 0.2, 0.3, 0.4, 0.6, 0.8];
/** Shares of alpha spent after each look, to find 5 % within one minute of five and 2 % within two. */
export const SPENT = [0.05, 0.4, 0.5, 0.78, 0.85, 0.92];
/** Looks have the levels of a claim with a tenth of a case's alpha: for less, at most an eighth too high. */
export const CLAIMS = 10;
/** From this many stored runs on, their spread is mostly learned, not guessed. */
const ENOUGH_RUNS = 8;

/** Cells of the integral over a sum of rounds; the unit is the standard deviation of the whole run's sum. */
const STEP = 0.04;
const LOWEST = -4;
const CELLS = 250;

/**
 * The alpha that each look, at shares (0 to 1, the end) of the budget, tests at: together they spend the
 * whole alpha, or what they spend of it so far.
 * @type {(run: Pick<Run, 'cases' | 'shard' | 'looks'>) => number[]}
 */
export function alphasOfLooks({ looks = [], cases, shard }) {
  const whole = wholeAlpha({ cases, shard });
  // A shard knows the roles of its own cases alone.
  const own = sum(judged(cases), weightOf);
  const count = Math.max(1, own * (shard ? shard.cases.length / Math.max(1, judged(cases).length) : 1));
  // Another program's run file may name any.
  const rising = looks.map((_, place) => Math.max(...looks.slice(0, place + 1)));
  const claim = FALSE_ALARMS / count / CLAIMS;
  const spentBy = (/** @type {number | undefined} */ share = 0) =>
    share < 1 ? (SPENT[LOOKS.findLastIndex((look) => look <= share)] ?? 0) : 1;
  const levels = sequentialLevels(
    rising.map((share, place) => ({ share, alpha: claim * (spentBy(share) - spentBy(rising[place - 1])) })),
  );
  return levels.map((level) => (level / claim) * whole);
}

/**
 * The part of one machine of several has alpha by its share of the cases.
 * @type {(part: { cases: Pick<Case, 'reference'>[], shard?: Plan['shard'] }) => number}
 */
export function wholeAlpha({ cases, shard }) {
  const own = judged(cases).length;
  return shard && own > 0 ? (FALSE_ALARMS * own) / shard.cases.length : FALSE_ALARMS;
}

/** @type {<T extends Pick<Case, 'reference'>>(cases: T[]) => T[]} */
function judged(cases) {
  return cases.filter(({ reference }) => !reference);
}

/**
 * A case that a look decided is no longer measured, and stays decided by the alpha of that look. In a joined
 * run, each machine took looks of its own.
 * @param {Pick<Run, 'cases' | 'shard' | 'looks'>} run
 * @param {number} [given] the alpha of a look that is being taken; absent: what the looks have left
 * @returns {{ whole: number, ofCase: (measured: Pick<RunCase, 'decidedAt' | 'looks'>) => number }}
 */
export function alphaOf(run, given) {
  if (given !== undefined) return { whole: given, ofCase: () => given };
  const at = (/** @type {number} */ share, taken = run.looks ?? []) => {
    const looks = taken.includes(1) ? taken : [...taken, 1];
    return alphasOfLooks({ ...run, looks })[looks.findLastIndex((look) => look <= share)];
  };
  const whole = at(1) ?? FALSE_ALARMS;
  return { whole, ofCase: ({ decidedAt = 1, looks }) => at(decidedAt, looks) || at(1, looks) || whole };
}

/**
 * Ids of the cases that need no more starts: speed is decided, and so is each figure with a gate, unless more
 * rounds do not show it.
 * @type {(comparison: Comparison, gates?: Config['gates']) => Set<string>}
 */
export function decidedCases({ cases }, gates) {
  const isOpen = (/** @type {MetricComparison} */ { metric: id, verdict, why }) =>
    verdict === 'unsure' && isGated(gates, id) && isOfRounds(id) && 'moreRounds' in why;
  const decided = cases.filter(({ verdict, only, metrics }) => {
    if (only || verdict === 'failed') return true;
    // A gain of other answers is one that no round shows.
    const isSettled = (/** @type {MetricComparison} */ change) =>
      change.verdict === 'unsure'
        ? change.why.code === 'wrong-answers' || change.why.code === 'other-answer'
        : verdict !== 'unsure';
    return metrics.filter(decides).some(isSettled) && !metrics.some(isOpen);
  });
  return new Set(decided.map(({ id }) => id));
}

/** Whether more rounds show more of it, and not pairs of starts. @type {(id: MetricId) => boolean} */
export function isOfRounds(id) {
  return !metric(id).judged.inPairs;
}

/**
 * @param {{ method: Comparison['method'], rounds: number[], runs: number | undefined, crowded: boolean }}
 *   facts rounds: how many the verdict of each case rests on; runs: the fewest stored runs that have a case;
 *   crowded: other programs used more of the machine than in any recording the promise was tried on
 * @returns {NonNullable<Comparison['promise']>} with the reasons why it may not hold
 */
export function promiseOf({ method, rounds, runs = 1, crowded }) {
  const isShort = method === 'side-by-side' && rounds.some((each) => each < LEAST_ROUNDS);
  /** @type {Limit[]} */
  const outside = [
    ...(isShort ? [{ code: /** @type {const} */ ('few-rounds'), least: LEAST_ROUNDS }] : []),
    ...(method === 'stored' && runs < ENOUGH_RUNS ? [{ code: /** @type {const} */ ('few-runs'), runs }] : []),
    ...(crowded ? [{ code: /** @type {const} */ ('crowded') }] : []),
  ];
  return { falseAlarms: FALSE_ALARMS, outside };
}

/**
 * Looks at one run share rounds, so noise that misleads one look misleads the next, too. Adding up their
 * levels (Bonferroni) counts such noise several times; this counts, at each look, only runs in which no
 * earlier look made the claim. Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for
 * clinical trials", Biometrika 70 (1983).
 * @param {{ share: number, alpha: number }[]} looks share: of the run (0 to 1), rising; alpha: what the look
 *   may add to the chance of a false claim
 * @returns {number[]} for each look, the one-sided level of its test; 0 where it may add nothing
 */
export function sequentialLevels(looks) {
  /** Of the sum, in runs without a claim so far. */
  let density = Array.from({ length: CELLS }, (_, cell) => (cell === -LOWEST / STEP ? 1 / STEP : 0));
  let last = 0;
  return looks.map(({ share, alpha }) => {
    if (alpha <= 0) return 0;
    const later = spread(density, Math.sqrt(share - last));
    const { bound, rest } = cutOff(later, alpha);
    // Exact, where no look came before.
    const level = last === 0 ? alpha : jstat.normal.cdf(-bound / Math.sqrt(share), 0, 1);
    [density, last] = [rest, share];
    return level;
  });
}

/** Adds what the next rounds add. @type {(density: number[], deviation: number) => number[]} */
function spread(density, deviation) {
  const kernel = density.map((_, apart) => STEP * jstat.normal.pdf(apart * STEP, 0, deviation));
  return density.map((_, to) => {
    let height = 0;
    for (let from = 0; from < CELLS; from++)
      height += (density[from] ?? 0) * (kernel[Math.abs(to - from)] ?? 0);
    return height;
  });
}

/** @type {(density: number[], alpha: number) => { bound: number, rest: number[] }} */
function cutOff(density, alpha) {
  let [place, above] = [CELLS, 0];
  while (above < alpha && place > 0) above += STEP * (density[--place] ?? 0);
  const width = (above - alpha) / (density[place] ?? 1);
  const rest = density.with(place, ((density[place] ?? 0) * width) / STEP).fill(0, place + 1);
  return { bound: LOWEST + STEP * (place - 0.5) + width, rest };
}
