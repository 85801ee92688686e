/**
 * How two runs relate, and the effect of the change on every figure of a case.
 * @import { Comparison, Metric, MetricId, Run, RunCase, Sample } from '../types.js'
 * @import { Estimate } from './mean-estimate.js'
 */

import { extent } from 'd3-array';
import { referenceOf } from '../model/reference.js';
import { ERRORS, LEADING, METRICS } from '../samples/figures.js';
import { levelOf, samplesOf } from '../samples/case-figures.js';
import { differencesOf, estimate, intervalPct, onScale, percent } from './mean-estimate.js';
import { halfWidth, LAST_DIGIT, mean, varianceOf } from '../samples/interval.js';

/** The assumed spread counts as this many stored runs. */
export const PRIOR_RUNS = 4;

/**
 * A server in one run; reference: of the one that ran beside it, where there is one to compare through.
 * @typedef {{ samples: Sample[], reference?: Sample[] }} Measured
 */

/** @typedef {{ method: Comparison['method'], base: RunCase[], head: RunCase[] }} Relation */

/**
 * @typedef {object} Facts
 * @property {MetricId} metric
 * @property {number} base the mean over starts, in the figure's unit
 * @property {number} head
 * @property {number} floor a change up to this, on the logarithmic scale, does not matter
 * @property {number} grain one step of a coarse clock, as a share
 * @property {number} nearest the smallest difference of any pair of neighbouring windows; 0 where they differ
 *   both ways, or did not run beside each other
 */
/** What is known of one figure of one case. @typedef {Estimate & Facts} Effect */

/**
 * Runs of one session were interleaved and share whatever drifts. Other runs are days apart, and what holds
 * between two servers on one kind of machine need not hold on another.
 * @type {(base: Run, head: Run) => Relation}
 */
export function relate(base, head) {
  const { fingerprint } = head.environment;
  // Joined machines of several kinds may each have measured other cases last time.
  const isAlike = base.environment.fingerprint === fingerprint && !fingerprint.includes('+');
  const method = base.session === head.session ? 'side-by-side' : isAlike ? 'stored' : 'other-machine';
  return { method, base: base.cases, head: head.cases };
}

/**
 * The reference's own change, which is noise; undefined where too few starts show it.
 * @type {(relation: Relation) => Comparison['reference']}
 */
export function referenceShift({ method, base: before, head: after }) {
  const [pair] = after
    .filter(({ reference }) => reference)
    .flatMap((head) => before.flatMap((base) => (base.id === head.id ? [{ base, head }] : [])));
  if (!pair) return undefined;
  const { id } = pair.head;
  const [base, head] = [samplesOf(pair.base.trials), samplesOf(pair.head.trials)];
  const shift =
    method === 'side-by-side'
      ? estimate(differencesOf(base, head, LEADING.id))
      : estimateAmongRuns(LEADING, { stored: byRun(base), head: { samples: head } });
  if (!shift || shift.df <= 0) return undefined;
  return { id, effectPct: percent(shift.effect), ciPct: intervalPct(shift.effect, halfWidth(shift)) };
}

/**
 * Covers every figure that both sides measured, except errors.
 * @type {(pair: { base: RunCase, head: RunCase }, relation: Relation) => Effect[]}
 */
export function effectsOf(pair, relation) {
  const [base, head] = [samplesOf(pair.base.trials), samplesOf(pair.head.trials)];
  const baseReference = referenceOf(pair.base, relation.base);
  const headReference = referenceOf(pair.head, relation.head);
  const areBeside = [...pair.base.trials, ...pair.head.trials].every(({ alone }) => !alone);
  const isThrough = relation.method !== 'side-by-side' && !pair.head.reference;
  const isBeside = isThrough && headReference !== undefined && headReference.id === baseReference?.id;
  const [now] = byRun(head, isBeside ? samplesOf(headReference.trials) : []);
  const stored = byRun(base, isBeside ? samplesOf(baseReference.trials) : []);
  return METRICS.filter((row) => row !== ERRORS).flatMap((row) => {
    const differences = relation.method === 'side-by-side' ? differencesOf(base, head, row.id) : undefined;
    const estimated = differences
      ? estimate(differences)
      : now && estimateAmongRuns(row, { stored, head: now });
    const [from = 0, to = 0] = [pair.base, pair.head].map((side) => levelOf(side, row.id)?.value);
    // A coarse clock gives 0 for less than its step.
    if (!estimated || !(row.judged.idle || (from > 0 && to > 0))) return [];
    const grain = grainOf(row, [...base, ...head]);
    // Readings of a coarse clock scatter less than what they read: starts of 3.6 and of 4.4 ms both read 4. A
    // difference of two readings has at least the standard deviation of two rounded figures, a step over the
    // root of six.
    const error = Math.hypot(estimated.error, grain / Math.sqrt(6 * estimated.rounds));
    const { floor: least = 0, idle } = row.judged;
    const floor = idle ? least : Math.log1p(least / from);
    const [low = 0, high = 0] = extent((areBeside && differences?.flat()) || []);
    const nearest = Math.max(0, low, -high);
    return [{ ...estimated, error, metric: row.id, base: from, head: to, floor, grain, nearest }];
  });
}

/**
 * The run is the unit here: days differ by more than a run's windows show. How far unchanged runs lie apart
 * is learned from the stored ones, beginning with a cautious guess that counts for a few of them, so that a
 * single stored run shows large changes only. The head is one more run, and its own uncertainty is added.
 * Source of a variance moderated by a prior with its own degrees of freedom: G. K. Smyth, "Linear models and
 * empirical Bayes methods...", Stat. Appl. Genet. Mol. Biol. 3 (2004).
 * @param {Metric} row
 * @param {{ stored: Measured[], head: Measured }} runs at least one stored
 * @returns {Estimate | undefined} undefined where a side did not measure it
 */
function estimateAmongRuns(row, { stored, head }) {
  const { spread } = row.judged;
  const beside = stored.filter(({ reference }) => reference !== undefined);
  // A reference that does not stream has none of their figures.
  const isBeside =
    head.reference?.some(({ whole }) => whole[row.id] !== undefined) === true && beside.length > 0;
  // A stored run whose reference failed must not take it from the others.
  const before = (isBeside && row.judged.scales ? beside : stored).flatMap(
    (run) => estimate(logsOf(row, run, isBeside)) ?? [],
  );
  const now = estimate(logsOf(row, head, isBeside));
  if (!now || before.length === 0) return undefined;
  const within = mean(before.map(({ error }) => error ** 2));
  const effects = before.map(({ effect }) => effect);
  const known = effects.length - 1;
  const apart = known > 0 ? Math.max(0, varianceOf(effects) - within) : 0;
  const guess = (isBeside ? spread.besideReference : spread.alone) ** 2;
  const between = (PRIOR_RUNS * guess + known * apart) / (PRIOR_RUNS + known);
  const ofRuns = between * (1 + 1 / effects.length) + within / effects.length;
  const ofHead = now.error ** 2;
  // F. E. Satterthwaite, Biometrics Bulletin 2 (1946).
  const df =
    (ofRuns + ofHead) ** 2 / (ofRuns ** 2 / (PRIOR_RUNS + known) + ofHead ** 2 / Math.max(1, now.df));
  return {
    ...now,
    effect: now.effect - mean(effects),
    error: Math.sqrt(ofRuns + ofHead),
    lasting: Math.sqrt(ofRuns),
    df: now.df > 0 ? df : 0,
  };
}

/**
 * Returns logarithms, a list for each round. isBeside: it is compared through the reference; memory does not
 * depend on how fast a machine is.
 * @type {(row: Metric, measured: Measured, isBeside: boolean) => number[][]}
 */
function logsOf({ id, judged }, { samples, reference = [] }, isBeside) {
  if (isBeside && judged.scales) return differencesOf(reference, samples, id);
  return samples.map(({ whole }) => [onScale(id, whole[id])].filter(Number.isFinite));
}

/** A file may join runs or machines. @type {(samples: Sample[], reference?: Sample[]) => Measured[]} */
function byRun(samples, reference = []) {
  return [...new Set(samples.map(({ block }) => block))].map((block) => {
    const ofBlock = (/** @type {Sample[]} */ all) => all.filter((sample) => sample.block === block);
    const beside = ofBlock(reference);
    return { samples: ofBlock(samples), ...(beside.length > 0 && { reference: beside }) };
  });
}

/**
 * How coarse a figure is: tools that count whole milliseconds cannot show a change from 1.4 to 0.6. Returns
 * one step as a share of the median; 0 where no steps are seen.
 * @type {(row: Metric, samples: Sample[]) => number}
 */
export function grainOf({ id, judged: { grain } }, samples) {
  if (grain === undefined) return 0;
  const values = samples.flatMap(({ windows }) => windows.flatMap((window) => window[id] ?? []));
  // A mean of one window's figure may be off by its last digit.
  if (!values.every((value) => Math.abs(value / grain - Math.round(value / grain)) < LAST_DIGIT)) return 0;
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? grain;
  return grain / Math.max(grain, median);
}
