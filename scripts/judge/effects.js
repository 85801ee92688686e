/**
 * How two runs relate, and the effect of the change on every figure of a case.
 * @import { Comparison, Metric, MetricId, Run, RunCase, Sample } from '../types.js'
 * @import { Measured } from './between-runs.js'
 * @import { Estimate } from './mean-estimate.js'
 */

import { ERRORS, LEADING, METRICS } from '../samples/figures.js';
import { samplesOf } from '../samples/samples.js';
import { estimateAmongRuns } from './between-runs.js';
import { differencesOf, estimate, intervalPct, LAST_DIGIT, mean, percent, reach } from './mean-estimate.js';

/**
 * Two runs; reference: the server that no change touches, where both have it.
 * @typedef {{ method: Comparison['method'], reference?: { id: string, base: Sample[], head: Sample[] } }} Relation
 */

/**
 * @typedef {object} Facts
 * @property {MetricId} metric
 * @property {number} base the typical value, in the figure's unit
 * @property {number} head
 * @property {number} floor a change up to this, on the logarithmic scale, does not matter
 * @property {number} grain one step of a coarse clock, as a share
 */
/** What is known of one figure of one case. @typedef {Estimate & Facts} Effect */

/**
 * Runs of one session were interleaved and share whatever drifts. Other runs are days apart, and what holds between two
 * servers on one kind of machine need not hold on another.
 * @param {Run} base @param {Run} head @returns {Relation}
 */
export function relate(base, head) {
  const isAlike = base.environment.fingerprint === head.environment.fingerprint;
  const method = base.session === head.session ? 'side-by-side' : isAlike ? 'stored' : 'other-machine';
  for (const { id, trials } of head.cases.filter(({ reference }) => reference)) {
    const before = base.cases.find((runCase) => runCase.reference && runCase.id === id);
    if (before) return { method, reference: { id, base: samplesOf(before.trials), head: samplesOf(trials) } };
  }
  return { method };
}

/**
 * @param {Relation} relation
 * @returns {Comparison['reference']} the reference's own change, which is noise; undefined where too few starts show it
 */
export function referenceShift({ method, reference }) {
  if (!reference) return undefined;
  const { id, base, head } = reference;
  const shift =
    method === 'side-by-side'
      ? estimate(differencesOf(base, head, LEADING.id))
      : estimateAmongRuns(LEADING, { stored: byRun(base), head: { samples: head } });
  if (!shift || shift.df <= 0) return undefined;
  return { id, effectPct: percent(shift.effect), ciPct: intervalPct(shift.effect, reach(shift)) };
}

/**
 * @param {{ base: RunCase, head: RunCase }} pair @param {Relation} relation
 * @returns {Effect[]} of every figure that both sides measured, except errors
 */
export function effectsOf(pair, relation) {
  const [base, head] = [samplesOf(pair.base.trials), samplesOf(pair.head.trials)];
  const reference = pair.head.reference ? undefined : relation.reference;
  const [now] = byRun(head, reference?.head);
  const stored = byRun(base, reference?.base);
  return METRICS.filter((row) => row !== ERRORS).flatMap((row) => {
    const located =
      relation.method === 'side-by-side'
        ? estimate(differencesOf(base, head, row.id))
        : now && estimateAmongRuns(row, { stored, head: now });
    const [from, to] = [typical(base, row.id), typical(head, row.id)];
    if (!located || from === undefined || to === undefined) return [];
    const grain = grainOf(row, [...base, ...head]);
    // Readings of a coarse clock scatter less than what they read: starts of 3.6 and of 4.4 ms both read 4. A difference of
    // two readings has at least the standard deviation of two rounded figures, a step over the root of six.
    const error = Math.hypot(located.error, grain / Math.sqrt(6 * located.rounds));
    const floor = Math.log1p((row.judged.floor ?? 0) / from);
    return [{ ...located, error, metric: row.id, base: from, head: to, floor, grain }];
  });
}

/**
 * @param {Sample[]} samples of one run file, which may join several stored runs or machines
 * @param {Sample[]} [reference] @returns {Measured[]}
 */
function byRun(samples, reference = []) {
  return [...new Set(samples.map(({ shard }) => shard))].map((shard) => {
    const ofShard = (/** @type {Sample[]} */ all) => all.filter((sample) => sample.shard === shard);
    const beside = ofShard(reference);
    return { samples: ofShard(samples), ...(beside.length > 0 && { reference: beside }) };
  });
}

/**
 * @param {Sample[]} samples @param {MetricId} id
 * @returns {number | undefined} the geometric mean over starts; a coarse clock gives 0 for less than its step
 */
function typical(samples, id) {
  const values = samples.flatMap(({ whole }) => whole[id] ?? []).filter((value) => value > 0);
  return values.length > 0 ? Math.exp(mean(values.map(Math.log))) : undefined;
}

/**
 * How coarse a figure is: tools that count whole milliseconds cannot show a change from 1.4 to 0.6.
 * @param {Metric} row @param {Sample[]} samples
 * @returns {number} one step as a share of the median; 0 where no steps are seen
 */
function grainOf({ id, judged: { grain } }, samples) {
  if (grain === undefined) return 0;
  const values = samples.flatMap(({ windows }) => windows.flatMap((window) => window[id] ?? []));
  // A mean of one window's figure may be off by its last digit.
  if (!values.every((value) => Math.abs(value / grain - Math.round(value / grain)) < LAST_DIGIT)) return 0;
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? grain;
  return grain / Math.max(grain, median);
}
