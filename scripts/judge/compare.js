/**
 * Two runs in, a comparison out.
 * @import { CaseComparison, Comparison, Config, Failure, MetricComparison, MetricId, Reason, Run, RunCase,
 *   Verdict, Warning } from '../types.js'
 * @import { Effect, Relation } from './effects.js'
 * @import { Decision } from './verdicts.js'
 */

import { max, min, sum } from 'd3-array';
import { isControl } from '../model/is-control.js';
import { defined } from '../model/defined.js';
import { areDisturbed, DISTURBED } from '../model/interference.js';
import { missedRate } from '../model/load-model-check.js';
import { decides, ERRORS, isGated, LEADING, marginOf, metric } from '../samples/figures.js';
import { startsOf } from '../samples/case-figures.js';
import { alphaOf, isOfRounds, promiseOf, wholeAlpha } from './alpha-spending.js';
import { LEAST_ROUNDS } from '../model/times.js';
import { caseVerdict, decisiveOf, isQuietControl, leadsToSame, worst } from './case-verdict.js';
import { changedAnswer } from './changed-answer.js';
import { compareErrors } from './compare-errors.js';
import { weightOf, withoutPromoting, withoutRoles } from './control-cases.js';
import { changedKinds, countsAlone, exactCounts, judgeCount } from './counts.js';
import { effectsOf, referenceShift, relate } from './effects.js';
import { differencesBetween } from './environments.js';
import { gateNotes } from './gate.js';
import { roundsOf } from './mean-estimate.js';
import { withFloor } from './power.js';
import { decide, judgeEffect, TENFOLD } from './verdicts.js';
import { effectsTogether, togetherOf } from './together.js';
import { failWrongAnswers, wrongAnswersOf } from './wrong-answers.js';

/** Where other programs take a larger share of the machine in most windows, the promise was not tested. */
const CROWDED = 0.5;
/** Standard deviation (of logarithms) added there: Express, unchanged, was once called 104 % slower. */
const CROWDED_SPREAD = 0.5;
/** The part of a report's alpha that the startup has: on one core, this finds 5 % in 95 of 100 runs. */
const STARTS_WEIGHT = 0.1;

/**
 * A case of both runs; isConfounded: other programs used most of the machine during one stored run.
 * @typedef {{ base: RunCase, head: RunCase, isConfounded: boolean, effects: Effect[] }} Pair
 */

/**
 * Limits of errors allow wrong answers. alpha: the chance of a false alarm; absent: what earlier looks left.
 * @typedef {Partial<Pick<Config, 'margin' | 'margins' | 'failOn' | 'gates' | 'limits'>> &
 *   { alpha?: number }} Options
 */

/** The base may be several pooled runs. @type {(base: Run, head: Run, options?: Options) => Comparison} */
export function compare(base, head, options = {}) {
  return compareMarked(failWrongAnswers({ base, head }, options), options);
}

/** Wrong answers are failures. @type {(marked: { base: Run, head: Run }, options: Options) => Comparison} */
export function compareMarked({ base, head: measured }, { margin = 0.05, margins, ...options }) {
  const { failOn, gates, limits, alpha: given } = options;
  const marginOfFigure = (/** @type {MetricId} */ id) => marginOf({ margin, margins }, id);
  const relation = relate(base, measured);
  const { method } = relation;
  const head = method === 'side-by-side' ? measured : withoutRoles(measured);
  const { pairs, unpaired } = pairsOf(base, head, relation);
  // How many pooled runs (pooled-base.js) have a case.
  const storedRuns = (/** @type {RunCase['trials']} */ trials) =>
    new Set(startsOf({ trials }).map(({ block = 1 }) => (block - 1) % (base.pooled ?? 1))).size;
  const alpha = alphaOf(head, given);
  const ofLoad = pairs.map((pair) => ({
    weight: weightOf(pair.head),
    effects: pair.effects.filter((effect) => !isOfStart(effect)),
    shareOf: () => (alpha.whole > 0 ? alpha.ofCase(pair.head) / alpha.whole : 0),
  }));
  const isApart = (/** @type {Pair} */ pair) => pair.head.role || pair.head.counted || whyApart(pair, method);
  const isTogether = method === 'side-by-side' && head.against !== 'self';
  const joined = isTogether ? pairs.filter((pair) => !isApart(pair)) : [];
  const joint = effectsTogether(joined, joined.flatMap(decidingOf));
  const alphaOfStarts = wholeAlpha(head);
  const ofStarts = pairs.map((pair) => ({
    weight: weightOf(pair.head),
    effects: pair.effects.filter(isOfStart),
    // Where no look ends a run because of a figure of starts, it is judged once, by all of its part.
    shareOf: (/** @type {Effect} */ { metric: id }) =>
      isGated(gates, id) && isOfRounds(id) ? alpha.ofCase(pair.head) / alphaOfStarts : 1,
  }));
  const decisions = new Map([
    ...decide(
      [...ofLoad, { weight: 1, effects: joint, shareOf: () => 1 }],
      alpha.whole * (1 - STARTS_WEIGHT - ERRORS.judged.weight),
    ),
    ...decide(ofStarts, alphaOfStarts * STARTS_WEIGHT),
  ]);
  const weights = sum(pairs, ({ head: measured }) => weightOf(measured));
  const ruleOf = (/** @type {Pair} */ pair) => ({
    alpha: (alpha.whole * ERRORS.judged.weight * weightOf(pair.head)) / weights,
    margin: marginOfFigure(ERRORS.id),
    isPaired: method === 'side-by-side',
  });
  const errors = new Map(pairs.map((pair) => [pair, errorsOf(pair, { method, rule: ruleOf(pair) })]));
  const compared = pairs.map((pair) => {
    const exact = whyApart(pair, method) ? [] : exactCounts(pair);
    const isOpen = (/** @type {Effect} */ effect) => exact.every((count) => count.metric !== effect.metric);
    const judged = [
      ...exact,
      ...pair.effects
        .filter(isOpen)
        .map((effect) => judgeOf(effect, pair, { method, decisions, marginOfFigure })),
      ...(errors.get(pair)?.changes ?? []),
    ];
    const told = pair.head.counted ? countsAlone(judged, pair) : judged;
    const named = told.map((change) =>
      change.verdict === 'same'
        ? change
        : defined({ ...change, changedKinds: changedKinds(pair, change.metric) }),
    );
    const { id, verdict, ...found } = caseOf(pair, named, wrongAnswersOf(pair.head, head, limits));
    const decisive = decisiveOf({ verdict, ...found });
    return defined({ id, verdict, decisive, ...found });
  });
  const cases = [...compared, ...unpaired];
  const ofAll = joint.map((effect) => {
    const decision = /** @type {Decision} */ (decisions.get(effect));
    return judgeEffect(effect, { ...decision, margin: marginOfFigure(effect.metric) });
  });
  const together = togetherOf(ofAll, compared, pairs.some(isBound));
  // Side by side, nothing can have got worse where the base has none of the head's servers.
  const isNew = method === 'side-by-side' && compared.length === 0;
  const ofNew = unpaired.some(({ verdict }) => verdict === 'failed') ? 'failed' : 'same';
  const against = method === 'side-by-side' ? head.against : undefined;
  return defined({
    schema: /** @type {const} */ ('perf-action/comparison@1'),
    verdict: isNew ? ofNew : verdictOf(compared, together),
    base: describe(base),
    head: describe(head),
    method,
    against,
    differs: method === 'side-by-side' ? undefined : differencesBetween(base.environment, head.environment),
    reference: referenceShift(relation),
    touched: head.touched,
    together,
    promise: promiseOf({
      method,
      rounds: pairs.flatMap((pair) =>
        // What they say together rests on the cases.
        isControl(pair.head) || together ? [] : (max(decidingOf(pair), ({ rounds }) => rounds) ?? []),
      ),
      runs: base.pooled && min(pairs, (pair) => storedRuns(pair.base.trials)),
      crowded: pairs.some((pair) => isShared(pair, CROWDED)),
    }),
    warnings: [
      ...(method === 'other-machine' ? [{ code: /** @type {const} */ ('other-machine') }] : []),
      ...(base.unfinished ? [{ code: /** @type {const} */ ('base-unfinished') }] : []),
      ...(head.unfinished ? [{ code: /** @type {const} */ ('head-unfinished') }] : []),
      ...pairs.flatMap((pair) => warningsOf(pair, { method, errors: errors.get(pair) })),
      ...gateNotes({ cases }, { failOn, gates }),
    ],
    cases: against === 'self' ? withFloor(cases, { base, head }) : cases,
  });
}

/**
 * The reference is not judged, unless it is all there is. unpaired: the cases that one side lacks.
 * @type {(base: Run, head: Run, relation: Relation) => { pairs: Pair[], unpaired: CaseComparison[] }}
 */
function pairsOf(base, head, relation) {
  const isAllReference = [...base.cases, ...head.cases].every(({ reference }) => reference);
  const isJudged = (/** @type {RunCase} */ { reference }) => isAllReference || !reference;
  const [before = [], after = []] = [base, head].map(({ cases }) =>
    cases.filter(isJudged).map(withoutPromoting),
  );
  const known = new Map(before.map((runCase) => [runCase.id, runCase]));
  const there = new Set(after.map(({ id }) => id));
  const pairs = after.flatMap((runCase) => {
    const earlier = known.get(runCase.id);
    return earlier ? [pairOf({ base: earlier, head: runCase }, relation)] : [];
  });
  const added = after.filter(({ id }) => !known.has(id)).map((runCase) => alone(runCase, 'head'));
  const removed = before.filter(({ id }) => !there.has(id)).map((runCase) => alone(runCase, 'base'));
  return { pairs, unpaired: [...added, ...removed] };
}

/** @type {(sides: { base: RunCase, head: RunCase }, relation: Relation) => Pair} */
function pairOf(sides, relation) {
  const isConfounded = relation.method === 'stored' && isShared(sides, CROWDED);
  // Controls of a server share its starts, and so all that is not a speed.
  const isCounted = (/** @type {Effect} */ { metric: id }) =>
    !isControl(sides.head) || decides({ metric: id, ...kindOf(sides.head) });
  const effects = effectsOf(sides, relation)
    .filter(isCounted)
    .map((effect) =>
      // Memory does not depend on what else runs.
      isConfounded && metric(effect.metric).judged.scales
        ? { ...effect, error: Math.hypot(effect.error, CROWDED_SPREAD) }
        : effect,
    );
  return { ...sides, isConfounded, effects };
}

/** Whether it is of starts, and not of load. @type {(effect: Effect) => boolean} */
function isOfStart(effect) {
  return metric(effect.metric).judged.role === 'startup';
}

/** @type {(runCase: RunCase, only: 'base' | 'head') => CaseComparison} */
function alone({ id, trials }, only) {
  const hasFailed = only === 'head' && startsOf({ trials }).length === 0;
  return { id, verdict: hasFailed ? 'failed' : 'unsure', metrics: [], only };
}

/**
 * @type {(effect: Effect, pair: Pair, rules: { method: Comparison['method'],
 *   decisions: Map<Effect, Decision>, marginOfFigure: (id: MetricId) => number }) => MetricComparison}
 */
function judgeOf(effect, pair, { method, decisions, marginOfFigure }) {
  const { metric: id, rounds, base, head } = effect;
  const unjudged = { metric: id, base, head, verdict: /** @type {const} */ ('unsure') };
  const apart = whyApart(pair, method);
  const effectPct = base > 0 ? 100 * (head / base - 1) : undefined;
  if (apart) return defined({ ...unjudged, why: { code: apart }, effectPct });
  // Latencies of a queue that grows depend on how long it was watched.
  const missed = metric(id).judged.role === 'tail' ? missedBy(pair) : undefined;
  if (missed) return { ...unjudged, why: missed };
  const decision = /** @type {Decision} */ (decisions.get(effect));
  const judged = metric(id).judged.idle
    ? judgeCount(effect, decision, pair)
    : judgeEffect(effect, { ...decision, margin: marginOfFigure(id) });
  const isClaim = judged.verdict === 'regressed' || judged.verdict === 'improved';
  if (method === 'side-by-side' && isClaim && judged.why.code !== 'tenfold' && rounds < LEAST_ROUNDS) {
    const moreRounds = LEAST_ROUNDS - rounds;
    return { ...judged, verdict: 'unsure', why: { code: 'few-rounds', least: LEAST_ROUNDS, moreRounds } };
  }
  return judged.verdict === 'unsure' && pair.isConfounded ? { ...judged, why: { code: 'crowded' } } : judged;
}

/**
 * A slower machine has timeouts of its own, so those of another one decide nothing.
 * @type {(pair: Pair, rules: { method: Comparison['method'],
 *   rule: Parameters<typeof compareErrors>[1] }) => ReturnType<typeof compareErrors>}
 */
function errorsOf(pair, { method, rule }) {
  const { changes, failed } = compareErrors(pair, rule);
  const apart = whyApart(pair, method);
  if (!apart) return { changes, failed };
  /** @type {(change: MetricComparison) => MetricComparison} */
  const open = (change) => ({ ...change, verdict: 'unsure', why: { code: apart } });
  return { changes: changes.map((change) => (change.verdict === 'same' ? change : open(change))) };
}

/**
 * Why a difference may not be the servers'.
 * @type {(pair: Pair, method: Comparison['method']) => 'other-machine' | 'other-data' | undefined}
 */
function whyApart({ base, head }, method) {
  if (method === 'other-machine') return method;
  return base.request?.data?.sha256 === head.request?.data?.sha256 ? undefined : 'other-data';
}

/** Where a side answered fewer requests than were due. @type {(pair: Pair) => Reason | undefined} */
function missedBy({ base, head }) {
  const { rate: asked } = head.load ?? {};
  const missed = [base, head].flatMap((side) => missedRate(startsOf(side), side.load ?? {}) ?? []);
  if (asked === undefined || missed.length === 0) return undefined;
  return { code: 'rate-missed', asked, achieved: Math.min(...missed) };
}

/**
 * Where the load tool was the limit, a figure can show a loss of the server but not that there is none; where
 * the answers of the head are wrong or not those of the base, a gain may be work that was left out.
 * @type {(pair: Pair, judged: MetricComparison[], wrong: Failure | undefined) => CaseComparison}
 */
function caseOf({ base, head }, judged, wrong) {
  const { role } = head;
  const promoted = role && !isControl(head) ? /** @type {const} */ (true) : undefined;
  const unmeasured = unmeasuredOf({ base, head });
  if (unmeasured) return defined({ ...unmeasured, role, promoted });
  const answer = changedAnswer({ base, head });
  /** @type {Reason | undefined} */
  const otherWork = wrong
    ? { code: 'wrong-answers', message: wrong.message }
    : answer && { code: 'other-answer' };
  const metrics = judged
    .map((change) => ({ ...change, ...kindOf(head), ...(otherWork && ofOtherWork(change, otherWork)) }))
    .map((change) =>
      isBound({ base, head }) && decides(change) && leadsToSame(change)
        ? /** @type {MetricComparison} */ ({ ...change, verdict: 'unsure', why: { code: 'client-bound' } })
        : change,
    );
  const decided = caseVerdict(metrics.filter(({ metric: id }) => metric(id).judged.gate));
  // No clock was read, so no speed is open.
  const verdict = head.counted && decided !== 'regressed' ? 'same' : decided;
  return defined({ id: head.id, verdict, role, promoted, metrics, answer });
}

/** Whether the load tool was the limit of a side. @param {Pick<Pair, 'base' | 'head'>} pair */
function isBound({ base, head }) {
  return [base, head].some(({ summary }) => summary?.clientBound);
}

/**
 * The worst of those that count. Where no route executes changed code, the whole is the same only if every
 * control is, and open otherwise.
 * @type {(compared: CaseComparison[], together: Comparison['together']) => Verdict}
 */
function verdictOf(compared, together) {
  const counting = [...compared.filter((each) => !isQuietControl(each)), ...(together ? [together] : [])];
  const verdict = worst(counting.map((each) => each.verdict));
  const isTouched = compared.length === 0 || compared.some(({ role }) => !role);
  if (isTouched || (counting.length > 0 && verdict !== 'same')) return verdict;
  return compared.every((each) => each.verdict === 'same') ? 'same' : 'unsure';
}

/**
 * Applies where a side has no start that counts. A side is not to blame for a budget that was too short.
 * @type {(sides: { base: RunCase, head: RunCase }) => CaseComparison | undefined}
 */
function unmeasuredOf({ base, head }) {
  const silent = [head, base].filter(({ trials }) => startsOf({ trials }).length === 0);
  const side = silent.find((each) => ownFailure(each)) ?? silent[0];
  if (!side) return undefined;
  const failure = ownFailure(side) ?? side.trials.find((trial) => trial.failure)?.failure;
  const slow = failure && slowSide({ base, head }, { side: side === head ? 'head' : 'base', failure });
  if (slow) return slow;
  const { kind, message = '' } = failure ?? {};
  // The run may end before a control that became a full case starts again.
  const isOpen = kind === 'cancelled' || (kind === undefined && head.promotedAt !== undefined);
  const verdict = isOpen ? 'unsure' : 'failed';
  /** @type {Reason} */
  let why = kind === undefined ? { code: 'not-measured' } : { code: 'failed', kind, message };
  if (kind === 'cancelled') why = { code: kind, message };
  return { id: head.id, verdict, metrics: [{ metric: LEADING.id, verdict, why }] };
}

/** What is left of its claim. @type {(change: MetricComparison, why: Reason) => Partial<MetricComparison>} */
function ofOtherWork({ metric: id, verdict }, why) {
  if (id === ERRORS.id) return verdict === 'regressed' && why.code === 'wrong-answers' ? { why } : {};
  return verdict === 'improved' ? { verdict: 'unsure', why } : {};
}

/** The first that is not the end of the run. @type {(runCase: RunCase) => Failure | null | undefined} */
function ownFailure({ trials }) {
  return trials.find(({ failure }) => failure && failure.kind !== 'cancelled')?.failure;
}

/**
 * A side that answered nothing in time, or was ready so late that the budget ended before its load, is slower
 * than one that was measured.
 * @param {{ base: RunCase, head: RunCase }} sides
 * @param {{ side: 'base' | 'head', failure: Failure }} slow the side without a start that counts
 * @returns {CaseComparison | undefined} undefined where it failed otherwise
 */
function slowSide({ base, head }, { side, failure: { kind, message } }) {
  const verdict = side === 'head' ? 'regressed' : 'improved';
  const [slow, other] = side === 'head' ? [head, base] : [base, head];
  const slowMs = min(slow.trials, ({ startupMs }) => startupMs) ?? 0;
  const started = other.trials.filter(({ failure }) => !failure || failure.kind === 'cancelled');
  const otherMs = max(started, ({ startupMs }) => startupMs) ?? Infinity;
  const [baseMs, headMs] = side === 'head' ? [otherMs, slowMs] : [slowMs, otherMs];
  const startedLate = slowMs >= TENFOLD * otherMs;
  const isTooSlow = kind === 'too-slow' && (startsOf(other).length > 0 || otherMs < Infinity);
  if (!isTooSlow && !(kind === 'cancelled' && startedLate)) return undefined;
  /** @type {(MetricComparison | false)[]} */
  const metrics = [
    startedLate && { metric: 'startupTime', verdict, why: { code: 'slow-start', baseMs, headMs } },
    isTooSlow && { metric: LEADING.id, verdict, why: { code: 'too-slow', side, message } },
  ];
  return { id: head.id, verdict, metrics: metrics.filter((change) => change !== false) };
}

/** The effects on the figures that decide its verdict. @type {(pair: Pair) => Effect[]} */
function decidingOf({ head, effects }) {
  return effects.filter(({ metric: id }) => decides({ metric: id, ...kindOf(head) }));
}

/** What tells which ones decide. @type {(runCase: RunCase) => Pick<MetricComparison, 'rate' | 'stream'>} */
function kindOf({ load, request }) {
  return defined({ rate: load?.rate, stream: request?.stream });
}

/**
 * @type {(pair: Pair, how: { method: Comparison['method'],
 *   errors: ReturnType<typeof compareErrors> | undefined }) => Warning[]}
 */
function warningsOf(pair, { method, errors: { changes, failed } = { changes: [] } }) {
  const { base, head, effects } = pair;
  const isMeasured = [base, head].every((side) => startsOf(side).length > 0);
  const fresh = changes.find(({ verdict, why }) => verdict === 'unsure' && why.code === 'new-errors');
  const isTold = (/** @type {Effect} */ effect) => effect.wrecked > 0 && metric(effect.metric).judged.gate;
  const wrecked = method === 'side-by-side' ? effects.filter(isTold) : [];
  const outliers = wrecked.flatMap(({ metric: id }) =>
    roundsOf(pair, id).flatMap(({ round, pct, kept }) => (kept ? [] : { metric: id, round, effectPct: pct })),
  );
  const rounds = max(wrecked, (effect) => effect.rounds + effect.wrecked) ?? 0;
  /** @type {(Warning | false | undefined)[]} */
  const warnings = [
    isShared(pair, DISTURBED) && { code: 'disturbed', case: head.id, share: DISTURBED },
    outliers.length > 0 && { code: 'outliers', case: head.id, rounds, outliers },
    isMeasured && failed && { code: 'failed-starts', case: head.id, ...failed },
    fresh?.why.code === 'new-errors' && { ...fresh.why, case: head.id },
  ];
  return warnings.flatMap((warning) => warning || []);
}

/** Whether a side had to share more. @type {(pair: Pick<Pair, 'base' | 'head'>, share: number) => boolean} */
function isShared({ base, head }, share) {
  return [base, head].some(({ trials }) => areDisturbed(trials, share));
}

/** @param {Run} run */
function describe({ id, startedAt, revision, pooled: runs, stored }) {
  const { label, sha, ref, library, versions } = revision ?? {};
  return defined({ id, startedAt, label, sha, ref, library, versions, runs, stored });
}
