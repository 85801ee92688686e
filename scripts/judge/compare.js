/**
 * Two runs in, a comparison out.
 * @import { CaseComparison, Comparison, Config, MetricComparison, MetricId, Reason, Run, RunCase, Warning } from '../types.js'
 * @import { Finding } from './verdicts.js'
 */

import { DISTURBED, othersShare } from '../model/interference.js';
import { compareErrors } from './compare-errors.js';
import { findingsOf, goodTrials, referenceShift, relate } from './effects.js';
import { holm } from './multiple-testing.js';
import { gateNotes } from './gate.js';
import { LEAST_ROUNDS, riskAt, riskLeft } from './alpha-spending.js';
import { missedRate } from '../model/load-model-check.js';
import { decides, ERRORS, LEADING, metric } from '../samples/metrics.js';
import { withFloor } from './power.js';
import { promiseOf } from './error-guarantee.js';
import { caseVerdict, chanceOf, isBetter, judgeFinding, worst } from './verdicts.js';

/** isApart: others had most of the machine, and the sides had not the same of them to bear @typedef {{ base: RunCase, head: RunCase, isApart: boolean, findings: Finding[] }} Pair */
/** What the family says of a claim: whether it stands, and its part of the risk. @typedef {Map<Finding, { holds: boolean, alpha: number }>} Decisions */

/**
 * @param {Run} base one run, or several stored ones pooled
 * @param {Run} head
 * @param {Partial<Pick<Config, 'margin' | 'margins' | 'gates'>> & { alpha?: number | undefined }} [options] margin: the share within
 *   which a change counts as the same, 0.05 where absent; margins: of metrics with their own; gates: those, too; alpha: the risk of a false
 *   alarm anywhere in the comparison, what earlier looks at the head have left of it where absent
 * @returns {Comparison}
 */
export function compare(base, head, { margin = 0.05, margins = {}, gates, alpha } = {}) {
  const risk = alpha ?? riskLeft(head);
  const marginOf = (/** @type {MetricId} */ id) => margins[id] ?? margin;
  const relation = relate(base, head);
  const { method } = relation;
  const { base: baseCases, head: headCases } = judged({ base, head });
  const known = new Map(baseCases.map((of) => [of.id, of]));
  /** @type {Pair[]} */
  const pairs = headCases.flatMap((of) => {
    const other = known.get(of.id);
    if (!other) return [];
    const pair = { base: other, head: of };
    const isApart = method === 'stored' && isShared(pair, CROWDED);
    const findings = findingsOf(pair, relation);
    return [{ ...pair, isApart, findings: isApart ? findings.map(widened) : findings }];
  });
  const ofLook = (/** @type {RunCase} */ { decidedAt }) =>
    (alpha === undefined && decidedAt !== undefined && riskAt(head, decidedAt)) || risk;
  const decisions = decide(pairs, risk * (1 - ERRORS.weight), (of) => ofLook(of) / risk);
  const cases = pairs.map((pair) =>
    caseOf(pair, [
      ...pair.findings.map((finding) => judgeOf(finding, pair, { method, decisions, marginOf })),
      ...compareErrors(
        { base: pair.base.trials, head: pair.head.trials },
        { alpha: (risk * ERRORS.weight) / pairs.length, margin: marginOf(ERRORS.id) },
      ),
    ]),
  );
  const ids = new Set(headCases.map(({ id }) => id));
  const all = [
    ...cases,
    ...headCases.filter(({ id }) => !known.has(id)).map((of) => alone(of, 'head')),
    ...baseCases.filter(({ id }) => !ids.has(id)).map((of) => alone(of, 'base')),
  ];
  const reference = referenceShift(relation);
  const against = method === 'side-by-side' ? head.against : undefined;
  return {
    schema: 'perf-action/comparison@1',
    verdict:
      method === 'side-by-side' && cases.length === 0
        ? uncompared(all)
        : worst(cases.map(({ verdict }) => verdict)),
    base: describe(base),
    head: describe(head),
    method,
    ...(against !== undefined && { against }),
    ...(reference && { reference }),
    promise: promiseOf({
      method,
      findings: pairs.flatMap(({ findings }) => findings),
      runs: base.pooled,
      crowded: pairs.some((pair) => isShared(pair, CROWDED)),
    }),
    warnings: [
      ...(method === 'other-machine' ? [{ code: 'other-machine' }] : []),
      ...(base.unfinished ? [{ code: 'base-unfinished' }] : []),
      ...(head.unfinished ? [{ code: 'head-unfinished' }] : []),
      ...pairs.flatMap(warningsOf),
      ...gateNotes({ cases: all }, { gates }),
    ],
    cases: against === 'self' ? withFloor(all, { base, head }) : all,
  };
}

const NO_CLAIM = { holds: false, alpha: 0 };

/**
 * One risk for all claims that something got worse, and one as large for all that something got better: an alarm is the one,
 * and the other must not be false more often either.
 * @param {Pair[]} pairs
 * @param {number} risk
 * @param {(of: RunCase) => number} partOf how many times that risk a case has
 * @returns {Decisions}
 */
function decide(pairs, risk, partOf) {
  // Every case has the same part of the risk, whatever it measured.
  const claims = pairs.flatMap(({ head, findings }) => {
    const whole = findings.reduce((sum, { metric: id }) => sum + metric(id).weight, 0);
    return findings.map((finding) => ({
      finding,
      weight: metric(finding.metric).weight / whole,
      better: isBetter(finding),
      chance: Math.min(1, chanceOf(finding) / partOf(head)),
    }));
  });
  const [worse, better] = [false, true].map((side) =>
    holm(
      claims.map((claim) => ({ p: claim.better === side ? claim.chance : 1, weight: claim.weight })),
      risk,
    ),
  );
  return new Map(
    claims.map((claim, index) => [claim.finding, (claim.better ? better : worse)?.[index] ?? NO_CLAIM]),
  );
}

/**
 * @param {Finding} finding
 * @param {Pair} pair that it is of
 * @param {{ method: Comparison['method'], decisions: Decisions, marginOf: (id: MetricId) => number }} by
 * @returns {MetricComparison}
 */
function judgeOf(finding, pair, { method, decisions, marginOf }) {
  const { metric: id, rounds } = finding;
  if (method === 'other-machine')
    return {
      ...unjudged(finding, { code: 'other-machine' }),
      effectPct: 100 * (finding.head / finding.base - 1),
    };
  // How long requests take in a queue that grows says how long somebody watched it.
  const missed = metric(id).role === 'tail' ? missedBy(pair) : undefined;
  if (missed) return unjudged(finding, missed);
  const claim = decisions.get(finding) ?? NO_CLAIM;
  const judged = judgeFinding(finding, { ...claim, margin: marginOf(id) });
  if (method === 'side-by-side' && judged.why.code === 'changed' && rounds < LEAST_ROUNDS) {
    const why = /** @type {const} */ ({
      code: 'few-rounds',
      least: LEAST_ROUNDS,
      moreRounds: LEAST_ROUNDS - rounds,
    });
    return { ...judged, verdict: 'unsure', why };
  }
  return judged.verdict === 'unsure' && pair.isApart ? { ...judged, why: { code: 'crowded' } } : judged;
}

/**
 * The reference arm is not judged, unless it is all there is.
 * @param {{ base: Run, head: Run }} runs
 * @returns {{ base: RunCase[], head: RunCase[] }}
 */
function judged({ base, head }) {
  const others = {
    base: base.cases.filter(({ reference }) => !reference),
    head: head.cases.filter(({ reference }) => !reference),
  };
  return others.base.length + others.head.length > 0 ? others : { base: base.cases, head: head.cases };
}

/**
 * Side by side, nothing can have got worse where the base has none of the head's servers.
 * @param {CaseComparison[]} cases that one side lacks
 * @returns {Comparison['verdict']}
 */
function uncompared(cases) {
  return cases.some(({ verdict }) => verdict === 'failed') ? 'failed' : 'same';
}

/**
 * A figure that the client limited is no figure of the server: it can tell of a loss, and not that there is none.
 * @param {Pair} pair
 * @param {MetricComparison[]} judged
 * @returns {CaseComparison}
 */
function caseOf({ base, head }, judged) {
  const side = [head, base].find(({ trials }) => goodTrials(trials).length === 0);
  if (side) {
    const { kind, message } = side.trials.find(({ failure }) => failure)?.failure ?? {};
    /** @type {Reason} */
    const why =
      kind === undefined || message === undefined
        ? { code: 'not-measured' }
        : { code: 'failed', kind, message };
    return { id: head.id, verdict: 'failed', metrics: [{ metric: LEADING.id, verdict: 'failed', why }] };
  }
  const { rate } = head.load ?? {};
  const metrics = judged.map((each) => (rate === undefined ? each : { ...each, rate }));
  const verdict = caseVerdict(metrics.filter(({ metric: id }) => metric(id).gate));
  const bound = [base, head].some(({ summary }) => summary?.clientBound);
  return { id: head.id, verdict: bound && verdict === 'same' ? 'unsure' : verdict, metrics };
}

/** Beyond this share of the machine, taken by others in most windows, nothing was recorded. */
export const CROWDED = 0.5;
/** Of the logarithm: there an unchanged server was twice as slow beside its reference as at other times. */
export const CROWDED_SPREAD = 0.5;

/**
 * @param {Finding} finding
 * @returns {Finding} with what being crowded may have done to it; memory does not depend on who else works
 */
function widened(finding) {
  return metric(finding.metric).scales
    ? { ...finding, error: Math.hypot(finding.error, CROWDED_SPREAD) }
    : finding;
}

/**
 * @param {Pick<Pair, 'base' | 'head'>} pair
 * @param {number} share of the machine
 * @returns {boolean} whether others took more in most windows of a side
 */
function isShared({ base, head }, share) {
  return [base, head].some(({ trials }) => {
    const windows = trials.flatMap((trial) => trial.windows);
    return 2 * windows.filter((window) => othersShare(window) > share).length > windows.length;
  });
}

/**
 * @param {Pair} pair
 * @returns {Warning[]}
 */
function warningsOf(pair) {
  const { head, findings } = pair;
  const { rate } = head.load ?? {};
  const [most] = findings
    .filter(({ metric: id }) => decides({ metric: id, ...(rate !== undefined && { rate }) }))
    .toSorted((a, b) => b.wrecked - a.wrecked);
  const { wrecked = 0, rounds: kept = 0 } = most ?? {};
  return [
    ...(isShared(pair, DISTURBED) ? [{ code: 'disturbed', case: head.id, share: DISTURBED }] : []),
    ...(wrecked > 0 ? [{ code: 'wrecked-rounds', case: head.id, wrecked, rounds: wrecked + kept }] : []),
  ];
}

/**
 * @param {Pair} pair
 * @returns {Extract<Reason, { code: 'rate-missed' }> | undefined} where a side answered fewer requests than were due
 */
function missedBy({ base, head }) {
  const { rate: asked } = head.load ?? {};
  const missed = [base, head].flatMap(({ trials, load }) => missedRate(goodTrials(trials), load ?? {}) ?? []);
  if (asked === undefined || missed.length === 0) return undefined;
  return { code: 'rate-missed', asked, achieved: Math.min(...missed) };
}

/**
 * @param {Finding} finding
 * @param {Reason} why
 * @returns {MetricComparison}
 */
function unjudged({ metric: id, base, head }, why) {
  return { metric: id, base, head, verdict: 'unsure', why };
}

/**
 * @param {RunCase} of
 * @param {'base' | 'head'} only
 * @returns {CaseComparison}
 */
function alone(of, only) {
  const failed = only === 'head' && goodTrials(of.trials).length === 0;
  return { id: of.id, verdict: failed ? 'failed' : 'unsure', metrics: [], only };
}

/** @param {Run} run */
function describe({ id, startedAt, revision, pooled: runs, stored }) {
  const { label, sha, ref } = revision ?? {};
  return {
    ...{ id, startedAt },
    ...(label !== undefined && { label }),
    ...(sha !== undefined && { sha }),
    ...(ref !== undefined && { ref }),
    ...(runs !== undefined && { runs }),
    ...(stored && { stored }),
  };
}
