/**
 * Two runs in, a comparison out.
 * @import { CaseComparison, Comparison, Run, RunCase, Trial, Verdict } from '../types.js'
 * @import { Context } from './compare-metric.js'
 */

import { compareErrors } from './compare-errors.js';
import { compareMetric, throughputShift } from './compare-metric.js';
import { METRICS } from './metrics.js';
import { interval } from './shift.js';
import { caseVerdict, worst } from './verdicts.js';

/** The promise: false alarms in this share of all reports at most. */
const FALSE_ALARMS = 0.01;

/**
 * @param {Run} base
 * @param {Run} head
 * @param {{ margin?: number }} [options] margin: the share within which a change counts as the same, 0.05 where absent
 * @returns {Comparison}
 */
export function compare(base, head, { margin = 0.05 } = {}) {
  const baseCases = judged(base);
  const headCases = judged(head);
  const pairs = headCases.flatMap((of) => {
    const same = baseCases.find(({ id }) => id === of.id);
    return same ? [{ base: same, head: of }] : [];
  });
  const gated = METRICS.filter(({ gate, id }) => gate && id !== 'errors').length;
  const alpha = FALSE_ALARMS / Math.max(1, pairs.length * gated);
  const { method, context, warnings, reference } = relation(base, head, { alpha, margin });

  const lone = [
    ...headCases.filter(({ id }) => !baseCases.some((of) => of.id === id)).map((of) => alone(of, 'head')),
    ...baseCases.filter(({ id }) => !headCases.some((of) => of.id === id)).map((of) => alone(of, 'base')),
  ];
  const cases = [...pairs.map((pair) => compareCase(pair, context)), ...lone];
  return {
    schema: 'perf-action/comparison@1',
    verdict: worst(cases.filter(({ only }) => !only).map(({ verdict }) => verdict)),
    base: describe(base),
    head: describe(head),
    method,
    ...(reference && { reference }),
    promise: `at most ${FALSE_ALARMS * 100} report in 100 raises a false alarm`,
    warnings,
    cases,
  };
}

/**
 * The reference arm is not judged, unless it is all there is.
 * @param {Run} run
 */
function judged({ cases }) {
  const others = cases.filter(({ reference }) => !reference);
  return others.length > 0 ? others : cases;
}

/**
 * How the two runs relate, and so what effects are taken relative to.
 * @param {Run} base
 * @param {Run} head
 * @param {{ alpha: number, margin: number }} options
 * @returns {{ method: Comparison['method'], context: Context, warnings: Comparison['warnings'], reference?: Comparison['reference'] }}
 */
function relation(base, head, { alpha, margin }) {
  const method =
    base.session === head.session
      ? 'side-by-side'
      : base.environment.fingerprint === head.environment.fingerprint
        ? 'same-machine'
        : 'through-reference';
  const arms = [base, head].map(({ cases }) => cases.find(({ reference }) => reference));
  const [from, to] = arms.map((of) => goodTrials(of));
  const moved = from && to && throughputShift(from, to);
  const id = arms[1]?.id;
  if (!moved || !from || !to || id === undefined) {
    const message =
      'the runs are of different machines and share no reference arm: absolute figures cannot be compared';
    const warnings = method === 'through-reference' ? [{ code: 'no-reference', message }] : [];
    return { method, context: { alpha, margin, incomparable: warnings.length > 0 }, warnings };
  }
  const ciPct = percents(interval(moved, FALSE_ALARMS));
  const drifted = ciPct[0] > 0 || ciPct[1] < 0;
  // Within a session base and head share the drift; between sessions the arm that no change touches shows it.
  const relative = method === 'through-reference' || (method === 'same-machine' && drifted);
  return {
    method,
    context: { alpha, margin, incomparable: false, ...(relative && { reference: { base: from, head: to } }) },
    warnings: [],
    reference: { id, effectPct: percent(moved.difference), ciPct },
  };
}

/**
 * @param {{ base: RunCase, head: RunCase }} pair
 * @param {Context} context
 * @returns {CaseComparison}
 */
function compareCase({ base, head }, context) {
  const trials = { base: goodTrials(base), head: goodTrials(head) };
  if (trials.head.length === 0 || trials.base.length === 0) {
    const side = trials.head.length === 0 ? head : base;
    const why = side.trials.find(({ failure }) => failure)?.failure?.message ?? 'no boot was measured';
    return { id: head.id, verdict: 'failed', metrics: [{ metric: 'throughput', verdict: 'failed', why }] };
  }
  const metrics = METRICS.flatMap((metric) =>
    metric.id === 'errors' ? compareErrors(trials, context) : compareMetric(metric, trials, context),
  );
  const deciding = new Set(METRICS.filter(({ gate }) => gate).map(({ id }) => id));
  return {
    id: head.id,
    verdict: caseVerdict(metrics.filter(({ metric }) => deciding.has(metric)).map(({ verdict }) => verdict)),
    metrics,
  };
}

/**
 * @param {RunCase} of
 * @param {'base' | 'head'} only
 * @returns {CaseComparison}
 */
function alone(of, only) {
  /** @type {Verdict} */
  const verdict = only === 'head' && goodTrials(of).length === 0 ? 'failed' : 'unsure';
  return { id: of.id, verdict, metrics: [], only };
}

/** @param {RunCase | undefined} of @returns {Trial[]} */
function goodTrials(of) {
  return (
    of?.trials.filter(({ failure, windows }) => !failure && windows.some(({ requests }) => requests > 0)) ??
    []
  );
}

/** @param {Run} run */
function describe({ id, startedAt, revision }) {
  const { label, sha } = revision ?? {};
  return { id, startedAt, ...(label !== undefined && { label }), ...(sha !== undefined && { sha }) };
}

/** @param {[number, number]} logs @returns {[number, number]} */
function percents([low, high]) {
  return [percent(low), percent(high)];
}

/** @param {number} log */
function percent(log) {
  return Math.expm1(log) * 100;
}
