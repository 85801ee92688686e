/**
 * One metric of one case: the shift between the sides on the log scale, where a slowdown is a ratio.
 * @import { Metric, MetricComparison, Trial } from '../types.js'
 */

import { metric } from './metrics.js';
import { interval, relativeTo, welch } from './shift.js';
import { verdictOf } from './verdicts.js';

/**
 * What all metrics of a comparison share. alpha: chance of a false alarm for each; margin: a share; reference: the
 * untouched arm's boots where effects are taken relative to it; incomparable: other machines and no such arm.
 * @typedef {{ alpha: number, margin: number, incomparable: boolean, reference?: { base: Trial[], head: Trial[] } }} Context
 */

/**
 * @param {Metric} of
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {Context} context
 * @returns {MetricComparison[]} none where a side did not measure it
 */
export function compareMetric(of, trials, context) {
  const base = positive(trials.base.map(of.of));
  const head = positive(trials.head.map(of.of));
  if (base.length === 0 || head.length === 0) return [];
  const seen = {
    metric: of.id,
    base: mean(base),
    head: mean(head),
    effectPct: (mean(head) / mean(base) - 1) * 100,
  };
  if (context.incomparable) {
    return [
      { ...seen, verdict: 'unsure', why: 'other machine, and no reference arm was measured in both runs' },
    ];
  }
  if (base.length < 2 || head.length < 2) {
    return [
      {
        ...seen,
        verdict: 'unsure',
        why: 'one boot a side cannot tell a change from the luck of a boot; measure more rounds',
      },
    ];
  }
  const own = welch(base.map(Math.log), head.map(Math.log));
  const reference = context.reference && of.id !== 'memory' ? shiftOf(of, context.reference) : undefined;
  const shift = reference ? relativeTo(own, reference) : own;
  const [low, high] = interval(shift, context.alpha).map(Math.expm1);
  const effect = Math.expm1(shift.difference);
  const found = {
    effect,
    interval: /** @type {[number, number]} */ ([low, high]),
    margin: context.margin,
    better: of.better,
  };
  const verdict = verdictOf(found);
  const boots =
    base.length === head.length ? `${base.length} boots a side` : `${base.length} and ${head.length} boots`;
  return [
    {
      ...seen,
      effectPct: effect * 100,
      ciPct: [found.interval[0] * 100, found.interval[1] * 100],
      verdict,
      why: reference ? `${boots}, relative to the reference arm` : boots,
    },
  ];
}

/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 * @returns {import('./shift.js').Shift | undefined} undefined below two boots a side
 */
export function throughputShift(base, head) {
  return shiftOf(metric('throughput'), { base, head });
}

/**
 * @param {Metric} of
 * @param {{ base: Trial[], head: Trial[] }} trials
 */
function shiftOf(of, trials) {
  const base = positive(trials.base.map(of.of));
  const head = positive(trials.head.map(of.of));
  if (base.length < 2 || head.length < 2) return undefined;
  return welch(base.map(Math.log), head.map(Math.log));
}

/**
 * @param {(number | undefined)[]} values
 * @returns {number[]} without the missing, and without 0, which a coarse clock gives for a latency below its step
 */
function positive(values) {
  return values.filter((value) => value !== undefined && value > 0).map(Number);
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
