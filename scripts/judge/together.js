/**
 * What all cases say together. Code that they share, such as middleware or a package, shows in the mean of
 * twenty cases after a start of each, long before it shows in any of them.
 * @import { CaseComparison, Comparison, MetricComparison, MetricId, RunCase } from '../types.js'
 * @import { Effect } from './effects.js'
 * @import { Estimate } from './mean-estimate.js'
 */

import { group, groups } from 'd3-array';
import { LEAST_ROUNDS } from '../model/times.js';
import { geometricOf } from '../samples/case-figures.js';
import { decides } from '../samples/figures.js';
import { halfWidth } from '../samples/interval.js';
import { caseVerdict, decisiveOf, leadsToSame } from './case-verdict.js';
import { estimate, roundsOf } from './mean-estimate.js';

/** Fewer have enough rounds of their own. */
const LEAST_CASES = 5;
/** About the risk that one figure is tested at, where few rounds reach far. */
const BEYOND = 0.0005;

/**
 * Each case is one value, so that its starts, and how much the change concerns it, count as chance. Of cases
 * that share starts, what a start has of its own is in all: so each round is one value, if that is less sure.
 * @param {{ base: RunCase, head: RunCase }[]} pairs
 * @param {Effect[]} effects on the figures that decide each case
 * @returns {Effect[]}
 */
export function effectsTogether(pairs, effects) {
  const sharing = pairs.filter(({ head }) => head.sharedSeconds);
  // At a rate, latency decides, which depends on the rate.
  return groups(effects.filter(decides), ({ metric }) => metric).flatMap(([metric, own]) => {
    const byCase = estimate(own.map(({ effect }) => [effect]));
    if (!byCase || byCase.rounds < LEAST_CASES) return [];
    const byRound = sharing.length > 0 ? meanOfRounds(sharing, metric) : byCase;
    if (!byRound || byRound.df < LEAST_ROUNDS - 1) return [];
    const { value: base } = geometricOf(own.map((each) => each.base));
    const estimated = halfWidth(byRound, BEYOND) > halfWidth(byCase, BEYOND) ? byRound : byCase;
    const head = base * Math.exp(estimated.effect);
    return { ...estimated, metric, base, head, floor: 0, grain: 0, nearest: 0 };
  });
}

/** @type {(pairs: { base: RunCase, head: RunCase }[], metric: MetricId) => Estimate | undefined} */
function meanOfRounds(pairs, metric) {
  const all = pairs.flatMap((pair) => roundsOf(pair, metric));
  const rounds = [...group(all, ({ round }) => round).values()];
  return estimate(rounds.map((own) => own.map(({ pct }) => Math.log1p(pct / 100))));
}

/**
 * Undefined where it decides nothing, as where cases gain by other answers, or a load tool was the limit.
 * @type {(metrics: MetricComparison[], cases: CaseComparison[], isBound: boolean) => Comparison['together']}
 */
export function togetherOf(metrics, cases, isBound) {
  const verdict = caseVerdict(metrics);
  const isOther = (/** @type {CaseComparison} */ { answer, metrics: own }) =>
    answer !== undefined || own.some(({ why }) => why.code === 'wrong-answers');
  const isOfOtherWork = verdict === 'improved' && cases.some(isOther);
  if (verdict === 'unsure' || isOfOtherWork || (isBound && metrics.some(leadsToSame))) return undefined;
  const measured = cases.filter(({ role, metrics: own }) => !role && own.some(decides));
  return { cases: measured.length, verdict, decisive: decisiveOf({ verdict, metrics }), metrics };
}
