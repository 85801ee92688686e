/**
 * Judges whether the cases of a run keep the limits of its configuration.
 * @import { LimitReason, LimitResult, LimitRule, MetricId, Run, RunCase } from '../types.js'
 */

import { sum } from 'd3-array';
import { defined } from '../model/defined.js';
import { areDisturbed } from '../model/interference.js';
import { limitedCases } from '../model/limited-cases.js';
import { missedRate } from '../model/load-model-check.js';
import { ERRORS, metric } from '../samples/figures.js';
import { levelOf, samplesOf, startsOf, valuesOf, windowsOf } from '../samples/case-figures.js';
import { grainOf } from './effects.js';
import { BEYOND, halfOf } from '../samples/interval.js';

/**
 * A machine's slow moments can outlast a run, whose rounds then agree on a figure that is too bad: in one of
 * twenty runs of `bench/limits.js` a p99 was 37 % above their median. So the interval reaches this factor
 * further towards the better side.
 */
const SLOW_MOMENT = 1.4;

/** Others can make a server so many times slower, in all its rounds alike, so that no interval shows it. */
const OTHERS_SLOW = 2;

/** Latencies of local servers that a tool rounds down to 0, in ms. */
const LEAST = 1e-3;

/** @typedef {{ value: number, interval: [number, number] }} Reached */

/** One for each case of each rule. @type {(run: Pick<Run, 'cases'>, rules: LimitRule[]) => LimitResult[]} */
export function judgeLimits({ cases }, rules) {
  const isCounted = cases.some(({ counted }) => counted);
  return (isCounted ? rules.flatMap(withoutClocks) : rules).flatMap((rule) =>
    limitedCases(rule, cases).map((measured) => {
      const { metric: id, bound, rate } = rule;
      return defined({ case: measured.id, metric: id, bound, rate, ...judge(rule, measured) });
    }),
  );
}

/** What a run that only counts, at no rate, leaves of it. @type {(rule: LimitRule) => LimitRule[]} */
function withoutClocks({ rate, ...rule }) {
  const isErrors = rule.metric === ERRORS.id && rate === undefined;
  return isErrors || metric(rule.metric).judged.role === 'count' ? [rule] : [];
}

/** @type {(rule: LimitRule, measured: RunCase) => Omit<LimitResult, 'case' | 'metric' | 'bound' | 'rate'>} */
function judge({ metric: id, bound, rate }, measured) {
  /** @type {(why: LimitReason, seen?: Partial<Reached>) => ReturnType<typeof judge>} */
  const unsure = (why, seen) => ({ ...seen, verdict: /** @type {const} */ ('unsure'), why });
  const values = valuesOf(measured, metric(id));
  if (values.length === 0) return unsure({ code: 'not-measured' });
  const seen = id === ERRORS.id ? sharesSeen(values, bound, measured) : figuresSeen(values, id, measured);
  const isBroken = id === ERRORS.id && bound === 0 && seen.value > 0;
  if (isBroken) return { value: seen.value, verdict: 'fails' };
  // One start of what is only counted is as certain as its margin.
  const isCount = metric(id).judged.role === 'count';
  if (values.length === 1 && !(isCount && measured.counted))
    return unsure({ code: 'one-start' }, { value: seen.value });
  const [low, high] = seen.interval;
  const isMost = metric(id).better === 'less';
  const isWithin = isMost ? high <= bound : low >= bound;
  const isBeyond = isMost ? low > bound : high < bound;
  const achieved = missedRate(measured.trials, measured.load);
  // A server that is slow at fewer requests is slower at all of them; one that is fast may not be.
  if (isWithin && rate !== undefined && achieved !== undefined)
    return unsure({ code: 'rate-missed', asked: rate, achieved }, seen);
  if (isBeyond && !isCount && measured.summary?.clientBound) return unsure({ code: 'client-bound' }, seen);
  const isFar = isMost ? low > bound * OTHERS_SLOW : high < bound / OTHERS_SLOW;
  if (isBeyond && !isFar && metric(id).judged.scales && areDisturbed(startsOf(measured)))
    return unsure({ code: 'disturbed' }, seen);
  if (!isWithin && !isBeyond) return unsure({ code: 'open' }, seen);
  return { ...seen, verdict: isWithin ? 'passes' : 'fails' };
}

/**
 * Rounds are not left out for lying far off: what is slow now and then is slow.
 * @type {(values: number[], id: MetricId, measured: RunCase) => Reached}
 */
function figuresSeen(values, id, measured) {
  const row = metric(id);
  const { value = 0 } = levelOf(measured, id) ?? {};
  // A count may be the bound itself.
  if (row.judged.idle && new Set(values).size === 1) return { value, interval: [value, value] };
  const logs = values.map((each) => Math.log(Math.max(each, LEAST)));
  const half = halfOf(logs) || Math.log1p(row.judged.margin ?? 0);
  const factor = Math.exp(Math.hypot(half, grainOf(row, samplesOf(measured.trials))));
  const moment = row.judged.scales ? SLOW_MOMENT : 1;
  const [low, high] = [value / factor, value * factor];
  return { value, interval: row.better === 'less' ? [low / moment, high] : [low, high * moment] };
}

/**
 * Shares can be 0, which has no logarithm. Without an error in n requests a few may still occur, unless the
 * limit allows none.
 * @type {(shares: number[], bound: number, measured: RunCase) => Reached}
 */
function sharesSeen(shares, bound, measured) {
  const { value, low = 0, high = 0 } = levelOf(measured, ERRORS.id) ?? { value: 0 };
  const requests = sum(windowsOf(measured), (window) => window.requests);
  const unseen = bound > 0 ? -Math.log(BEYOND) / requests : 0;
  const isClean = shares.every((share) => share === 0);
  return { value, interval: [Math.max(0, low), isClean ? unseen : high] };
}
