/**
 * From an effect to a verdict, and from many verdicts to one.
 * @import { MetricComparison, Verdict } from '../types.js'
 * @import { Effect } from './effects.js'
 * @import { Decision } from './multiple-testing.js'
 */

import { decides, metric } from '../samples/figures.js';
import { intervalPct, percent, reach, roundsToSettle } from './mean-estimate.js';
import { isBetter } from './multiple-testing.js';

/** More rounds than this are no plan. */
export const MOST_ROUNDS = 1000;
/** Standard errors from no change: chance takes an unchanged figure as far once in ten times. */
export const LEANS = 1.64;
/** A figure this many times less certain than another leaves the verdict to that one. */
export const SHARPER = 1.5;

/** Worst first. */
const RANK = /** @type {const} */ (['failed', 'regressed', 'unsure', 'improved', 'same']);

/**
 * A figure is `same` only where its whole interval lies inside the margin, and changed where Holm's procedure lets the claim
 * stand.
 * @param {Effect} effect @param {Decision & { margin: number }} rule margin: a share
 * @returns {MetricComparison}
 */
export function judgeEffect(effect, { holds, alpha, margin }) {
  const { metric: id, base, head, df, floor, grain, rounds } = effect;
  const enough = Math.max(margin, floor);
  const effectPct = percent(effect.effect);
  const seen = { metric: id, base, head, effectPct, marginPct: 100 * enough };
  if (df <= 0) return { ...seen, verdict: 'unsure', why: { code: 'one-boot' } };
  const half = reach(effect) + grain;
  const measured = { ...seen, errorPct: 100 * effect.error, ciPct: intervalPct(effect.effect, half) };
  if (Math.max(...measured.ciPct.map(Math.abs)) < 100 * enough)
    return { ...measured, verdict: 'same', why: { code: 'inside-margin' } };
  if (holds) {
    const verdict = isBetter(effect) ? 'improved' : 'regressed';
    return { ...measured, verdict, why: { code: 'changed', byPct: effectPct, givePct: percent(half) } };
  }
  const open = Math.max(half, reach(effect, alpha) + grain);
  const ciPct = intervalPct(effect.effect, open);
  if (grain > margin)
    return { ...measured, ciPct, verdict: 'unsure', why: { code: 'too-coarse', stepPct: 100 * grain } };
  const moreRounds = roundsToSettle({ effect: effect.effect, half: open, margin: enough, rounds });
  return { ...measured, ciPct, verdict: 'unsure', why: { code: 'open', moreRounds } };
}

/**
 * Speed decides. A change for the worse in anything outweighs it; a change for the better in anything but speed counts only
 * where speed is the same and not measured the least bit worse: requests that wait less are answered faster.
 * @param {MetricComparison[]} metrics @returns {Verdict}
 */
export function caseVerdict(metrics) {
  const verdicts = metrics.map(({ verdict }) => verdict);
  if (verdicts.includes('failed')) return 'failed';
  if (verdicts.includes('regressed')) return 'regressed';
  const speeds = metrics.filter(decides);
  if (speeds.some(({ verdict }) => verdict === 'improved')) return 'improved';
  const isSame = speeds.length > 0 && speeds.every(({ verdict }) => verdict === 'same');
  const speed = isSame ? 'same' : sharperOf(speeds);
  if (speed === 'same' && verdicts.includes('improved') && !speeds.some(isWorse)) return 'improved';
  return speed;
}

/**
 * On a machine that others use, throughput wavers many times more than CPU time per request, and would keep every case open
 * for hours. Then the more certain figure decides, unless the other leans to a change by more than luck.
 * @param {MetricComparison[]} speeds @returns {Verdict}
 */
function sharperOf(speeds) {
  const errorOf = ({ errorPct = 0 }) => errorPct;
  const known = speeds.filter(({ errorPct }) => errorPct !== undefined);
  const [sharp, dull] = known.toSorted((a, b) => errorOf(a) - errorOf(b));
  if (!sharp) return 'unsure';
  if (!dull) return speeds.length > 1 ? 'unsure' : sharp.verdict;
  const leans = Math.abs(dull.effectPct ?? 0) > LEANS * errorOf(dull);
  return errorOf(dull) > SHARPER * errorOf(sharp) && !leans ? sharp.verdict : 'unsure';
}

/** @param {MetricComparison} change */
function isWorse({ metric: id, effectPct = 0 }) {
  return effectPct !== 0 && effectPct > 0 === (metric(id).better === 'less');
}

/** @param {Verdict[]} verdicts @returns {Verdict} */
export function worst(verdicts) {
  return RANK.find((verdict) => verdicts.includes(verdict)) ?? 'unsure';
}
