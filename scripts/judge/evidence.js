/**
 * What the boots of one case say, as claims that the family then weighs against each other.
 * @import { MetricId, Trial } from '../types.js'
 * @import { Claim, Finding, SpeedShift, Table } from './shapes.js'
 */

import { at } from './linear.js';
import { METRICS, metric } from './metrics.js';
import { pValue, relativeTo, welch } from './shift.js';
import { withoutDrift } from './rounds.js';
import { speedShift } from './speed.js';
import { besideReference, grainOf, speedTable } from './table.js';

/** Boots, both sides together, below which each metric is compared by itself. */
const LEAST_BOOTS = 10;
/** How a case's share of the risk is divided: speed is what a load test is about. */
const SPEED_WEIGHT = 0.8;
const OTHER_WEIGHT = 0.1;
/** In standard deviations; of a hundred normal boots none is that far off. */
const FAR = 5;
/** The median absolute deviation of a normal variable is its standard deviation divided by this. */
const NORMAL_MAD = 1.4826;
const SPEED = new Set(['throughput', 'cpuPerRequest', 'p50']);

/**
 * @param {{ base: Trial[], head: Trial[] }} trials that succeeded; at least one a side
 * @param {{ reference?: { base: Trial[], head: Trial[] } | undefined, interleaved?: boolean }} [how] reference: boots that
 *   effects are taken relative to; interleaved: whether equal rounds of the sides are neighbours in time
 * @returns {Claim[]}
 */
export function weigh(trials, { reference, interleaved } = {}) {
  const { base, head } = reference ? besideReference(trials, reference) : trials;
  const few = base.length + head.length < LEAST_BOOTS || Math.min(base.length, head.length) < 3;
  const table = few ? undefined : speedTable({ base, head }, { reference, interleaved });
  const joint = table && jointClaim(table, trials);
  const read = new Set(joint?.findings.map((finding) => finding.metric));
  const alone = METRICS.filter(({ id }) => id !== 'errors' && !read.has(id)).flatMap(
    ({ id }) => plainFinding(id, trials, reference) ?? [],
  );
  const speedLeft = alone.filter(({ metric: id }) => SPEED.has(id)).length;
  const each = joint ? OTHER_WEIGHT : SPEED_WEIGHT / Math.max(1, speedLeft);
  return [
    ...(joint ? [joint] : []),
    ...alone.map((finding) => ({
      findings: [finding],
      weight: SPEED.has(finding.metric) ? each : OTHER_WEIGHT,
      ...(finding.df > 0 && { p: pValue(finding) }),
    })),
  ];
}

/**
 * One metric, one state and no boot far off: there is nothing to be robust against, and Welch's test is the sharper one.
 * @param {Table} table
 * @param {SpeedShift} shift
 */
function isPlain({ metrics, values, side }, { fit }) {
  if (metrics.length > 1 || fit.states > 1) return false;
  const centres = [0, 1].map((s) => median([...values].filter((_, boot) => side[boot] === s)));
  const off = [...values].map((value, boot) => Math.abs(value - at(centres, at(side, boot))));
  return Math.max(...off) <= FAR * NORMAL_MAD * median(off);
}

/**
 * @param {Table} measured
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @returns {Claim | undefined} undefined where a plain comparison is better
 */
function jointClaim(measured, trials) {
  const first = speedShift(measured);
  const even = withoutDrift(measured, first.fit);
  const [table, shift] = even ? [even, speedShift(even)] : [measured, first];
  if (!even && isPlain(table, shift)) return undefined;
  return {
    findings: table.metrics.map((id, m) => ({
      metric: id,
      ...typical(id, trials),
      effect: at(shift.effects, m),
      error: at(shift.errors, m),
      df: shift.df,
      grain: 0,
    })),
    weight: SPEED_WEIGHT,
    p: shift.p,
    speed: { table, shift },
  };
}

/**
 * @param {MetricId} id
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {{ base: Trial[], head: Trial[] }} [reference]
 * @returns {Finding | undefined} undefined where a side did not measure it
 */
function plainFinding(id, trials, reference) {
  const [base, head] = [logsOf(id, trials.base), logsOf(id, trials.head)];
  if (base.length === 0 || head.length === 0) return undefined;
  const raw = [...trials.base, ...trials.head].map(metric(id).of);
  const common = { metric: id, ...typical(id, trials), grain: id.startsWith('p') ? grainOf(raw) : 0 };
  // Memory does not depend on how fast a machine is.
  const shift = (reference && id !== 'memory' && gaugedShift(id, trials, reference)) || welch(base, head);
  if (!shift) return { ...common, effect: mean(head) - mean(base), error: 0, df: 0 };
  return { ...common, effect: shift.difference, error: Math.sqrt(shift.variance), df: shift.freedom };
}

/**
 * @param {MetricId} id
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {{ base: Trial[], head: Trial[] }} reference
 * @returns {import('./shift.js').Shift | undefined} undefined where the reference's own shift is not known
 */
function gaugedShift(id, trials, reference) {
  const base = levelled(id, trials.base, reference.base);
  const head = levelled(id, trials.head, reference.head);
  const [own, gauge] = [welch(base.own, head.own), welch(base.gauge, head.gauge)];
  return own && gauge && relativeTo(own, gauge);
}

/**
 * Machines, and days, differ by how fast they are; what the reference shows of that is no spread of the server's own.
 * @param {MetricId} id
 * @param {Trial[]} trials
 * @param {Trial[]} arm the reference's boots
 * @returns {{ own: number[], gauge: number[] }} logs, less the arm's mean on the same machine, where each has one
 */
function levelled(id, trials, arm) {
  const parts = [...new Set(trials.map(({ shard }) => shard))].map((shard) => {
    const [own = [], gauge = []] = [trials, arm].map((all) =>
      logsOf(
        id,
        all.filter((trial) => trial.shard === shard),
      ),
    );
    return { own, gauge };
  });
  const known = parts.every(({ gauge }) => gauge.length > 0);
  const level = (/** @type {number[]} */ gauge) => (known ? mean(gauge) : 0);
  return {
    own: parts.flatMap(({ own, gauge }) => own.map((log) => log - level(gauge))),
    gauge: parts.flatMap(({ gauge }) => gauge.map((log) => log - level(gauge))),
  };
}

/**
 * @param {MetricId} id
 * @param {Trial[]} trials
 * @returns {number[]} without the missing, and without 0, which a coarse clock gives for a latency below its step
 */
function logsOf(id, trials) {
  return trials.flatMap((trial) => {
    const value = metric(id).of(trial);
    return value === undefined || value <= 0 ? [] : [Math.log(value)];
  });
}

/**
 * @param {MetricId} id
 * @param {{ base: Trial[], head: Trial[] }} trials
 */
function typical(id, { base, head }) {
  return { base: Math.exp(mean(logsOf(id, base))), head: Math.exp(mean(logsOf(id, head))) };
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (at(sorted, Math.floor(middle)) + at(sorted, Math.ceil(middle))) / 2;
}
