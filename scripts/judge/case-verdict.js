/**
 * From the verdicts of a case's figures to the verdict of the case, and the figure that decided it.
 * @import { CaseComparison, LimitResult, MetricComparison, MetricId, Verdict } from '../types.js'
 */

import { greatest, least } from 'd3-array';
import { decides, metric, METRICS } from '../samples/figures.js';

/** A throughput off by more standard errors keeps a case open. Chance alone does so once in ten times. */
const LEANS = 1.64;
/** A figure so many times as precise as the other decides alone. Otherwise a busy machine is never `same`. */
export const SHARPER = 1.5;

/** Up to this part of the margin, the interval of 95 % fits into it before a claim holds at alpha. */
const LEADS = 0.6;

/** Times the margin: what lies nearer needs its rounds more than an explanation. */
const FAR = 2;

/** Of changes and of limits. @type {(Verdict | LimitResult['verdict'])[]} */
const WORST_FIRST = ['failed', 'fails', 'regressed', 'unsure', 'improved', 'passes', 'same'];

/**
 * Speed decides. A change for the worse in anything outweighs it; a change for the better in anything but
 * speed counts only where speed is the same and not measured the least bit worse: requests that wait less are
 * answered faster.
 * @type {(metrics: MetricComparison[]) => Verdict}
 */
export function caseVerdict(metrics) {
  const verdicts = metrics.map(({ verdict }) => verdict);
  if (verdicts.includes('failed')) return 'failed';
  if (verdicts.includes('regressed')) return 'regressed';
  const speeds = metrics.filter(decides);
  if (speeds.some(({ verdict }) => verdict === 'improved')) return 'improved';
  const isSame = speeds.length > 0 && speeds.every(({ verdict }) => verdict === 'same');
  const speed = isSame ? 'same' : (aloneOf(speeds)?.verdict ?? 'unsure');
  if (speed === 'same' && verdicts.includes('improved') && !speeds.some(isWorse)) return 'improved';
  return speed;
}

/**
 * On a machine that others use, throughput wavers many times more than CPU time per request, and would keep
 * every case open for hours. Then the more certain figure decides, unless the other leans to a change by more
 * than luck. Returns the one that decides alone; undefined where both count.
 * @type {(speeds: MetricComparison[]) => MetricComparison | undefined}
 */
function aloneOf(speeds) {
  const errorOf = ({ errorPct = 0 }) => errorPct;
  const known = speeds.filter(({ errorPct }) => errorPct !== undefined);
  const [sharp, dull] = known.toSorted((a, b) => errorOf(a) - errorOf(b));
  if (!sharp || !dull) return speeds.length > 1 ? undefined : sharp;
  const leans = Math.abs(dull.effectPct ?? 0) > LEANS * errorOf(dull);
  return errorOf(dull) > SHARPER * errorOf(sharp) && !leans ? sharp : undefined;
}

/** @param {MetricComparison} change */
function isWorse({ metric: id, effectPct = 0 }) {
  return effectPct !== 0 && effectPct > 0 === (metric(id).better === 'less');
}

/**
 * The one that wrong or other answers decide; otherwise the first figure with the case's verdict, of those
 * that count for it; of open speeds, the one that would settle the case.
 * @type {(compared: Pick<CaseComparison, 'verdict' | 'metrics'>) => MetricId | undefined}
 */
export function decisiveOf({ verdict, metrics }) {
  const isOfAnswers = (/** @type {MetricComparison} */ change) =>
    change.verdict === verdict &&
    (verdict === 'regressed'
      ? change.why.code === 'wrong-answers'
      : change.why.code === 'other-answer' && decides(change));
  const ofAnswers = metrics.find(isOfAnswers);
  if (ofAnswers) return ofAnswers.metric;
  const counted = METRICS.filter(({ judged }) => judged.gate)
    .flatMap(({ id }) => metrics.filter((change) => change.metric === id))
    .toSorted((a, b) => Number(decides(b)) - Number(decides(a)));
  const fitting = counted.filter((change) => change.verdict === verdict);
  const open = verdict === 'unsure' ? fitting.filter(decides) : [];
  const settling =
    (open.length > 0 ? aloneOf(metrics.filter(decides)) : undefined) ??
    // One change is enough; `same` takes all speeds.
    least(open, (change) => (leadsToSame(change) ? undefined : moreRoundsOf(change))) ??
    greatest(open, moreRoundsOf);
  return (settling ?? fitting[0] ?? counted[0] ?? metrics[0])?.metric;
}

/** Rounds that would settle it; infinite where none do. @type {(change: MetricComparison) => number} */
function moreRoundsOf({ why }) {
  return ('moreRounds' in why ? why.moreRounds : undefined) ?? Infinity;
}

/** Whether it is `same`, or probably will be by more rounds. @type {(change: MetricComparison) => boolean} */
export function leadsToSame({ verdict, why, effectPct = 0, marginPct = 0 }) {
  return verdict === 'same' || (why.code === 'open' && Math.abs(effectPct) < LEADS * marginPct);
}

/**
 * Whether it has got slower, or lies so far outside of the margin that it needs an explanation more than
 * rounds. Controls are few windows.
 * @type {(compared: Pick<CaseComparison, 'metrics' | 'role' | 'promoted'>) => boolean}
 */
export function looksSlower({ metrics, role, promoted }) {
  const isFull = !role || promoted;
  return metrics.some((change) => {
    const { metric: id, verdict, effectPct = 0, marginPct = Infinity } = change;
    const isFar = verdict === 'unsure' && isFull && isWorse(change) && Math.abs(effectPct) > FAR * marginPct;
    return metric(id).judged.role === 'speed' && (verdict === 'regressed' || isFar);
  });
}

/**
 * The change that decided its verdict.
 * @type {(compared: Pick<CaseComparison, 'decisive' | 'metrics'>) => MetricComparison | undefined}
 */
export function decisiveChange({ decisive, metrics }) {
  return metrics.find(({ metric: id }) => id === decisive);
}

/** Whether a side failed, or its run ended too early. @type {(compared: CaseComparison) => boolean} */
export function isUnmeasured({ verdict, metrics }) {
  return verdict === 'failed' || metrics.some(({ why }) => why.code === 'cancelled');
}

/**
 * @typedef {Pick<CaseComparison, 'role' | 'promoted'> & Pick<CaseComparison | LimitResult, 'verdict'>} Judged
 */

/** @type {(verdicts: Verdict[]) => Verdict} */
export function worst(verdicts) {
  return worstFirst(verdicts.map((verdict) => ({ verdict })))[0]?.verdict ?? 'unsure';
}

/** Controls that do not count come last. @type {<T extends Judged>(judged: T[]) => T[]} */
export function worstFirst(judged) {
  const placeOf = (/** @type {Judged} */ each) =>
    isQuietControl(each) ? WORST_FIRST.length : rankOf(each.verdict);
  return judged.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** What a control leaves open or gains does not count. @type {(compared: Judged) => boolean} */
export function isQuietControl({ role, promoted, verdict }) {
  return role === 'control' && !promoted && verdict !== 'regressed' && verdict !== 'failed';
}

/** Its place, the worst first. @type {(verdict: Verdict | LimitResult['verdict']) => number} */
export function rankOf(verdict) {
  return WORST_FIRST.indexOf(verdict);
}
