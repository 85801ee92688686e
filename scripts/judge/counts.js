/**
 * Counts that are exact, and changes of those that are not. A count depends on the request alone: that is an
 * assumption, which every window of every start and the time without load test.
 * @import { MetricComparison, MetricId, RunCase } from '../types.js'
 * @import { Effect } from './effects.js'
 */

import { max, min, sum } from 'd3-array';
import { startsOf, windowsOf } from '../samples/case-figures.js';
import { metric, METRICS } from '../samples/figures.js';
import { halfWidth } from '../samples/interval.js';

/** A plan reverses the order of both sides from start to start, and a third one repeats it. */
const LEAST_STARTS = 3;

/**
 * The counts that are exact on both sides. No risk is spent on them.
 * @type {(pair: { base: RunCase, head: RunCase }) => MetricComparison[]}
 */
export function exactCounts({ base, head }) {
  const starts = min([base, head], (side) => startsOf(side).length) ?? 0;
  return METRICS.flatMap(({ id }) => {
    const [from, to] = [base, head].map((side) => exactCount(side, id));
    if (from === undefined || to === undefined) return [];
    const seen = { metric: id, base: from, head: to };
    if (from === to) return { ...seen, verdict: 'same', why: { code: 'exact-count' } };
    if (starts >= LEAST_STARTS)
      return { ...seen, verdict: wayOf(id, to - from), why: { code: 'exact-count' } };
    const moreRounds = LEAST_STARTS - starts;
    return { ...seen, verdict: 'unsure', why: { code: 'few-rounds', least: LEAST_STARTS, moreRounds } };
  });
}

/** Undefined where it is not exact. @type {(runCase: RunCase, id: MetricId) => number | undefined} */
function exactCount(runCase, id) {
  const { read, judged } = metric(id);
  if (!judged.idle) return undefined;
  const starts = startsOf(runCase);
  const windows = windowsOf(runCase);
  const isUndisturbed =
    max(starts, judged.idle) === 0 &&
    starts.every(({ busySeconds }) => busySeconds === undefined) &&
    windows.every(
      ({ errors = {}, unanswered }) => unanswered === undefined && sum(Object.values(errors)) === 0,
    );
  const [count, ...others] = new Set(windows.map((window) => (read(window) ?? NaN) / window.requests));
  return isUndisturbed && others.length === 0 && Number.isFinite(count) ? count : undefined;
}

/**
 * A count may be 0, so it changes by a difference, and half of one does not matter.
 * @type {(effect: Effect, decision: { holds: boolean }) => MetricComparison}
 */
export function judgeCount(effect, { holds }) {
  const { metric: id, base, head, df, floor, effect: difference } = effect;
  const seen = { metric: id, base, head };
  if (df > 0 && Math.abs(difference) + halfWidth(effect) < floor)
    return { ...seen, verdict: 'same', why: { code: 'inside-margin' } };
  return { ...seen, verdict: holds ? wayOf(id, difference) : 'unsure', why: { code: 'inexact-count' } };
}

/** @type {(id: MetricId, difference: number) => 'regressed' | 'improved'} */
function wayOf(id, difference) {
  return difference > 0 === (metric(id).better === 'less') ? 'regressed' : 'improved';
}
