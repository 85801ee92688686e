/**
 * Counts that are exact, and changes of those that are not. A count depends on the request alone: that is an
 * assumption, which every window of every start and the time without load test.
 * @import { Metric, MetricComparison, MetricId, RunCase } from '../types.js'
 * @import { Effect } from './effects.js'
 * @import { Decision } from './verdicts.js'
 */

import { max, min, sort, sum } from 'd3-array';
import { totals } from '../model/totals.js';
import { figureIn, startsOf, valuesOf, windowsOf } from '../samples/case-figures.js';
import { COUNTS, ERRORS, metric, METRICS } from '../samples/figures.js';
import { mean } from '../samples/interval.js';
import { HALF } from '../samples/spreads.js';
import { isInside, roundsToSettle } from './verdicts.js';

/** @typedef {{ base: RunCase, head: RunCase }} Pair */

/** A plan reverses the order of both sides from start to start, and a third one repeats it. */
export const LEAST_STARTS = 3;
/** Reasons for which a difference may not be the servers'. */
const APART = ['other-data', 'other-machine'];
/** As many kinds as a line has room for. */
const MOST_KINDS = 3;

/**
 * The counts that are exact on both sides. No risk is spent on them.
 * @type {(pair: Pair) => MetricComparison[]}
 */
export function exactCounts({ base, head }) {
  const starts = min([base, head], (side) => startsOf(side).length) ?? 0;
  return METRICS.flatMap(({ id }) => {
    const [from, to] = [base, head].map((side) => exactCount(side, id));
    if (from === undefined || to === undefined) return [];
    const seen = { metric: id, base: from, head: to };
    const moreRounds = LEAST_STARTS - starts;
    if (from !== to && moreRounds > 0)
      return { ...seen, verdict: 'unsure', why: { code: 'few-rounds', least: LEAST_STARTS, moreRounds } };
    return { ...seen, verdict: from === to ? 'same' : wayOf(id, to - from), why: { code: 'exact-count' } };
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
 * @type {(effect: Effect, decision: Decision, pair: Pair) => MetricComparison}
 */
export function judgeCount(effect, { holds, alpha }, { base: before, head: after }) {
  const { metric: id, base, head, df, floor, effect: difference } = effect;
  const seen = { metric: id, base, head };
  const idle = max([before, after].flatMap(startsOf), (trial) => metric(id).judged.idle?.(trial)) ?? 0;
  const why = { code: /** @type {const} */ ('inexact-count'), ...(idle > 0 && { idle }) };
  if (df > 0 && isInside(effect, floor))
    return { ...seen, verdict: 'same', why: idle > 0 ? why : { code: 'inside-margin' } };
  if (holds) return { ...seen, verdict: wayOf(id, difference), why };
  const more = df > 0 && { moreRounds: roundsToSettle(effect, { alpha, enough: floor }) };
  return { ...seen, verdict: 'unsure', why: { ...why, ...more } };
}

/**
 * Judges a case that was counted without clocks by its errors and counts: it has three starts at most, too
 * few for the judge of clocks.
 * @type {(metrics: MetricComparison[], pair: Pair) => MetricComparison[]}
 */
export function countsAlone(metrics, pair) {
  return metrics.flatMap((change) => {
    const row = metric(change.metric);
    if (row !== ERRORS && !COUNTS.includes(row)) return [];
    if (row === ERRORS || change.verdict !== 'unsure' || APART.includes(change.why.code)) return change;
    const difference = differenceOf(pair, row, LEAST_STARTS);
    const { ciPct: _, ...known } = change;
    const { base = 0, head = 0 } = known;
    const { margin = 0, floor = 0 } = row.judged;
    // What lies so near is not counted again: nobody will know more of it.
    if (difference === 0) return Math.abs(head - base) > Math.max((margin * base) / 2, floor) ? change : [];
    return { ...known, verdict: wayOf(row.id, difference) };
  });
}

/**
 * The head's mean less the base's: 0 unless each side has so many starts, and the gap between them exceeds
 * the range of either, and half the margin. Three unchanged starts a side have one in 0.8 of 100 (simulated).
 * @type {(pair: Pair, row: Metric, starts?: number) => number}
 */
export function differenceOf({ base, head }, row, starts = 1) {
  const [from, to] = /** @type {[number[], number[]]} */ ([base, head].map((side) => valuesOf(side, row)));
  if (Math.min(from.length, to.length) < starts) return 0;
  const { margin = 0, floor = 0 } = row.judged;
  const difference = mean(to) - mean(from);
  // A request that has a part of a statement does not always do the same.
  const least = [...from, ...to].every(Number.isInteger) ? 0 : floor;
  const ranges = [from, to].map((values) => Math.max(...values) - Math.min(...values));
  const width = Math.max(...ranges, (margin * mean(from)) / 2);
  const gap = Math.max(Math.min(...to) - Math.max(...from), Math.min(...from) - Math.max(...to));
  return gap > width && Math.abs(difference) > least ? difference : 0;
}

/** @type {(id: MetricId, difference: number) => 'regressed' | 'improved'} */
function wayOf(id, difference) {
  return difference > 0 === (metric(id).better === 'less') ? 'regressed' : 'improved';
}

/**
 * What of a count changed most, as the statement that was repeated: how often a request of either side has
 * the kinds that changed by half or more; undefined where none is known.
 * @type {(pair: Pair, id: MetricId) => { name: string, base: number, head: number }[] | undefined}
 */
export function changedKinds(pair, id) {
  const [base, head] = [kindsIn(pair.base, id), kindsIn(pair.head, id)];
  const kinds = [...new Set([...base.keys(), ...head.keys()])].map((name) => ({
    name,
    base: base.get(name) ?? 0,
    head: head.get(name) ?? 0,
  }));
  const changeOf = (/** @type {typeof kinds[0]} */ kind) => Math.abs(kind.head - kind.base);
  // A list that is full lacks kinds that are still there.
  const isFull = sum(head.values()) + HALF < (figureIn(id, windowsOf(pair.head)) ?? 0);
  const changed = sort(kinds, (kind) => -changeOf(kind)).filter(
    (kind) => changeOf(kind) >= HALF && (kind.head > kind.base || !isFull),
  );
  return changed.length > 0 ? changed.slice(0, MOST_KINDS) : undefined;
}

/** By request. @type {(measured: RunCase, id: MetricId) => Map<string, number>} */
function kindsIn(measured, id) {
  const { kinds } = metric(id);
  const windows = windowsOf(measured).filter((window) => kinds?.(window));
  const requests = sum(windows, (window) => window.requests);
  const counted = totals(windows.flatMap((window) => Object.entries(kinds?.(window) ?? {})));
  return new Map(Array.from(counted, ([name, count]) => [name, count / requests]));
}
