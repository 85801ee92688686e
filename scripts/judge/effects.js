/**
 * How two runs relate, and what the boots of a case say of each metric.
 * @import { Comparison, Metric, Run, RunCase, Trial } from '../types.js'
 * @import { Location } from './mean-estimate.js'
 * @import { Finding } from './verdicts.js'
 */

import { LAST_DIGIT, locate, mean } from './mean-estimate.js';
import { ERRORS, LEADING, METRICS } from '../samples/metrics.js';
import { differencesOf, neighboursOf } from './paired-windows.js';
import { locateAmongRuns } from './between-runs.js';
import { BEYOND, percent, reach } from './verdicts.js';

/**
 * How the two runs relate. reference: the arm that no change touches, where both have it.
 * @typedef {{ method: Comparison['method'], reference?: { id: string, base: Trial[], head: Trial[] } }} Relation
 */

/**
 * Runs of one session were interleaved and share whatever drifts. Any others are days apart, and another kind of machine is
 * another world: what holds between two servers on one need not hold on the other.
 * @param {Run} base
 * @param {Run} head
 * @returns {Relation}
 */
export function relate(base, head) {
  const alike = base.environment.fingerprint === head.environment.fingerprint;
  const method = base.session === head.session ? 'side-by-side' : alike ? 'stored' : 'other-machine';
  for (const of of head.cases.filter(({ reference }) => reference)) {
    const other = base.cases.find(({ id, reference }) => reference && id === of.id);
    if (other)
      return {
        method,
        reference: { id: of.id, base: goodTrials(other.trials), head: goodTrials(of.trials) },
      };
  }
  return { method };
}

/**
 * @param {Relation} relation
 * @returns {Comparison['reference']} the arm's own change, which is the noise; undefined where too few boots tell
 */
export function referenceShift({ method, reference }) {
  if (!reference) return undefined;
  const { id, ...trials } = reference;
  const found =
    method === 'side-by-side'
      ? locate(differencesOf(neighboursOf(trials.base, trials.head), LEADING.id))
      : locateAmongRuns(LEADING, { stored: byRun(trials.base), head: { trials: trials.head } });
  if (!found || found.df <= 0) return undefined;
  const half = reach(found, BEYOND);
  return {
    id,
    effectPct: percent(found.effect),
    ciPct: [percent(found.effect - half), percent(found.effect + half)],
  };
}

/**
 * @param {{ base: RunCase, head: RunCase }} pair
 * @param {Relation} relation
 * @returns {Finding[]} of every metric that both sides measured, but errors
 */
export function findingsOf(pair, relation) {
  const trials = { base: goodTrials(pair.base.trials), head: goodTrials(pair.head.trials) };
  const place =
    relation.method === 'side-by-side' ? besideEachOther(trials) : amongRuns(trials, pair, relation);
  return METRICS.filter((of) => of !== ERRORS).flatMap((of) => {
    const [base, head] = [trials.base, trials.head].map((side) => typical(of, side));
    const located = place(of);
    if (!located || base === undefined || head === undefined) return [];
    const floor = of.floor === undefined ? 0 : Math.log1p(of.floor / base);
    const grain = grainOf(of, [...trials.base, ...trials.head]);
    return [{ ...blurred(located, grain), metric: of.id, base, head, floor, grain }];
  });
}

/**
 * Readings of a coarse clock scatter less than what they read: boots of 3.6 and of 4.4 ms both read 4. However alike they are,
 * a difference of two readings has the standard deviation of two rounded figures, a step over the root of six.
 * @param {Location} location
 * @param {number} grain one step, as a share
 * @returns {Location}
 */
function blurred(location, grain) {
  return { ...location, error: Math.hypot(location.error, grain / Math.sqrt(6 * location.rounds)) };
}

/**
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @returns {(of: Metric) => Location | undefined}
 */
function besideEachOther({ base, head }) {
  const rounds = neighboursOf(base, head);
  return ({ id }) => locate(differencesOf(rounds, id));
}

/**
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {{ head: RunCase }} pair
 * @param {Relation} relation
 * @returns {(of: Metric) => Location | undefined}
 */
function amongRuns({ base, head }, pair, { reference }) {
  const arm = pair.head.reference ? undefined : reference;
  const stored = byRun(base, arm?.base);
  const [now] = byRun(head, arm?.head);
  return (of) => (now ? locateAmongRuns(of, { stored, head: now }) : undefined);
}

/**
 * Several stored runs, and several machines, make one run file: a trial tells which of them it is of.
 * @param {Trial[]} trials
 * @param {Trial[]} [arm]
 */
function byRun(trials, arm) {
  return [...new Set(trials.map(({ shard }) => shard))].map((shard) => {
    const reference = arm?.filter((trial) => trial.shard === shard);
    return {
      trials: trials.filter((trial) => trial.shard === shard),
      ...(reference && reference.length > 0 && { reference }),
    };
  });
}

/**
 * @param {Trial[]} trials
 * @returns {Trial[]} those that measured something
 */
export function goodTrials(trials) {
  return trials.filter(({ failure, windows }) => !failure && windows.some(({ requests }) => requests > 0));
}

/**
 * @param {Metric} metric
 * @param {Trial[]} trials
 * @returns {number | undefined} the geometric mean over boots; 0 is what a coarse clock gives for less than its step
 */
function typical({ of }, trials) {
  const values = trials.flatMap((trial) => of(trial) ?? []).filter((value) => value > 0);
  return values.length > 0 ? Math.exp(mean(values.map(Math.log))) : undefined;
}

/**
 * How coarse a figure is: tools that count whole milliseconds say nothing of a change from 1.4 to 0.6.
 * @param {Metric} metric
 * @param {Trial[]} trials
 * @returns {number} one step as a share of the median; 0 where no steps are seen
 */
function grainOf({ of, grain }, trials) {
  if (grain === undefined) return 0;
  const values = trials.flatMap(({ windows, ...trial }) =>
    windows.flatMap((window) => of({ ...trial, windows: [window] }) ?? []),
  );
  // A mean of one window's figure may be off by its last digit.
  if (!values.every((value) => Math.abs(value / grain - Math.round(value / grain)) < LAST_DIGIT)) return 0;
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? grain;
  return grain / Math.max(grain, median);
}
