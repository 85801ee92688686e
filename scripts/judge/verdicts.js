/**
 * From an interval to a word, and from many words to one.
 * @import { MetricComparison, Verdict } from '../types.js'
 * @import { Finding } from './shapes.js'
 */

import { metric } from './metrics.js';
import { reach } from './shift.js';

/** More rounds than this are no plan. */
export const MOST_ROUNDS = 1000;
/** Worst first. */
const RANK = /** @type {const} */ (['failed', 'regressed', 'unsure', 'improved', 'same']);
/** Once a case is known to have changed, how sure one must be which of its metrics did. */
const WHICH = 0.01;

/**
 * `same` is earned: only where the whole interval lies inside the margin. A change is told where the family lets the
 * claim stand and this metric's interval leaves out zero.
 * @param {Finding} finding
 * @param {{ holds: boolean, alpha: number, margin: number, boots: number, ambiguous: boolean, moved: boolean }} rule margin: a share;
 *   moved: whether the boots may have changed their states
 * @returns {MetricComparison}
 */
export function judgeFinding(finding, { holds, alpha, margin, boots, ambiguous, moved }) {
  const { metric: id, base, head, effect, df, grain } = finding;
  const seen = { metric: id, base, head, effectPct: percent(effect) };
  if (df === 0) {
    const why = 'one boot a side cannot tell a change from the luck of a boot; measure more rounds';
    return { ...seen, verdict: 'unsure', why };
  }
  const half = reach(finding, holds ? Math.max(alpha, WHICH) : alpha) + grain;
  // What the claim as a whole could not show, none of its metrics may show by itself.
  const open = holds && !ambiguous ? half : Math.max(half, Math.abs(effect));
  const ciPct = /** @type {[number, number]} */ ([percent(effect - open), percent(effect + open)]);
  const inside = Math.max(...ciPct.map(Math.abs)) < 100 * margin;
  if (inside && !moved) return { ...seen, ciPct, verdict: 'same', why: 'inside the margin' };
  if (open < Math.abs(effect)) {
    const better = isBetter(finding);
    const why = `${round(Math.abs(percent(effect)))} % ${better ? 'better' : 'worse'} than the base, give or take ${round(percent(half))}`;
    return { ...seen, ciPct, verdict: better ? 'improved' : 'regressed', why };
  }
  if (grain > margin) {
    const why = `the load tool counts in steps of ${round(100 * grain)} %: too coarse to tell`;
    return { ...seen, ciPct, verdict: 'unsure', why };
  }
  const moreRounds = ambiguous || inside ? boots : roundsToSettle({ effect, half: open, margin, boots });
  const reason = ambiguous
    ? 'the boots can be read two ways'
    : inside
      ? 'as fast within each of the two states of the boots, but they are not spread over them as before'
      : 'neither inside the margin nor apart from no change';
  return {
    ...seen,
    ciPct,
    moreRounds,
    verdict: 'unsure',
    why: `${reason}; ${roundsText(moreRounds)} would settle it`,
  };
}

/** @param {number} rounds */
function roundsText(rounds) {
  if (rounds > MOST_ROUNDS) return 'no number of rounds worth measuring';
  return `about ${rounds} more round${rounds === 1 ? '' : 's'}`;
}

/**
 * @param {Finding} finding
 * @returns {boolean} whether it is a change for the better, if it is one
 */
export function isBetter({ metric: id, effect }) {
  return effect > 0 === (metric(id).better === 'more');
}

/**
 * An interval shrinks with the root of the rounds. It settles the matter when it fits into the margin or leaves out
 * zero, whichever the present estimate is nearer to.
 * @param {{ effect: number, half: number, margin: number, boots: number }} seen boots: of the side with fewer
 * @returns {number} at least 1
 */
export function roundsToSettle({ effect, half, margin, boots }) {
  const needed = Math.max(margin - Math.abs(effect), Math.abs(effect));
  return Math.max(1, Math.ceil(boots * (half / needed) ** 2) - boots);
}

/**
 * Speed decides; a change for the worse in anything outweighs; a change for the better in anything but speed counts
 * only where speed is not in doubt, nor measured the least bit worse: requests that wait less are answered faster.
 * @param {MetricComparison[]} metrics
 * @param {boolean} tooDisturbed whether CPU a request stands in for a throughput that is in doubt
 * @returns {Verdict}
 */
export function caseVerdict(metrics, tooDisturbed) {
  const verdicts = metrics.map(({ verdict }) => verdict);
  if (verdicts.includes('failed')) return 'failed';
  if (verdicts.includes('regressed')) return 'regressed';
  const throughput = metrics.find(({ metric: id }) => id === 'throughput');
  const cpu = metrics.find(({ metric: id }) => id === 'cpuPerRequest');
  if (throughput?.verdict === 'improved' || cpu?.verdict === 'improved') return 'improved';
  const carrier = (tooDisturbed && throughput?.verdict === 'unsure' && cpu) || throughput || cpu;
  const worse = [throughput, cpu].some((speed) => speed && isWorse(speed));
  if ((throughput ?? cpu)?.verdict === 'same' && !worse && verdicts.includes('improved')) return 'improved';
  return carrier?.verdict ?? 'unsure';
}

/** @param {MetricComparison} measured */
function isWorse({ metric: id, effectPct = 0 }) {
  return metric(id).better === 'more' ? effectPct < 0 : effectPct > 0;
}

/**
 * @param {Verdict[]} verdicts
 * @returns {Verdict} the worst
 */
export function worst(verdicts) {
  return RANK.find((verdict) => verdicts.includes(verdict)) ?? 'unsure';
}

/**
 * @param {number} log
 * @returns {number}
 */
export function percent(log) {
  return Math.expm1(log) * 100;
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(2));
}
