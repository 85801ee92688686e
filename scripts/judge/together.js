/**
 * What all cases say together. Code that they share, such as middleware or a package, shows in the mean of
 * twenty cases after a start of each, long before it shows in any of them.
 * @import { CaseComparison, Comparison, MetricComparison } from '../types.js'
 * @import { Effect } from './effects.js'
 */

import { groups } from 'd3-array';
import { geometricOf } from '../samples/case-figures.js';
import { decides } from '../samples/figures.js';
import { caseVerdict, decisiveOf, leadsToSame } from './case-verdict.js';
import { estimate } from './mean-estimate.js';

/** Fewer have enough rounds of their own. */
const LEAST_CASES = 5;

/**
 * Each case is one value, so that its starts, and how much the change concerns it, count as chance.
 * @type {(effects: Effect[]) => Effect[]} effects: on the figures that decide each case
 */
export function effectsTogether(effects) {
  // At a rate, latency decides, which depends on the rate.
  return groups(effects.filter(decides), ({ metric }) => metric).flatMap(([metric, own]) => {
    const estimated = estimate(own.map(({ effect }) => [effect]));
    if (!estimated || estimated.rounds < LEAST_CASES) return [];
    const { value: base } = geometricOf(own.map((each) => each.base));
    const head = base * Math.exp(estimated.effect);
    return { ...estimated, metric, base, head, floor: 0, grain: 0, nearest: 0 };
  });
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
