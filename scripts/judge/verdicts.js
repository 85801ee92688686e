/**
 * From an interval to a word, and from many words to one.
 * @import { MetricComparison, MetricId, Verdict } from '../types.js'
 * @import { Location } from './mean-estimate.js'
 */

import jstat from 'jstat';
import { decides, metric } from '../samples/metrics.js';

/** More rounds than this are no plan. */
export const MOST_ROUNDS = 1000;
/** The chance that the truth lies beyond one end of an interval that is told. */
export const BEYOND = 0.025;
/** Worst first. */
const RANK = /** @type {const} */ (['failed', 'regressed', 'unsure', 'improved', 'same']);
/** Standard errors from no change: as far off as chance takes an unchanged figure once in ten times. */
export const LEANS = 1.64;
/** No end of an interval is told to be farther off, in percent, and no more rounds are foretold: JSON knows no infinity. */
const LARGEST = 1e9;
/** A metric this many times less sure than another leaves the word to that one. */
export const SHARPER = 1.5;

/**
 * What is known of one metric of one case. base, head: typical values in its unit; floor: a change up to this share does not
 * matter; grain: one step of a coarse clock, as a share.
 * @typedef {Location & { metric: MetricId, base: number, head: number, floor: number, grain: number }} Finding
 */

/**
 * @param {Finding} finding
 * @returns {boolean} whether it is a change for the better, if it is one
 */
export function isBetter({ metric: id, effect }) {
  return effect > 0 === (metric(id).better === 'more');
}

/**
 * @param {Finding} finding
 * @returns {number} the chance that luck alone takes an unchanged server as far, to this side
 */
export function chanceOf({ effect, error, df, floor, grain }) {
  if (df <= 0) return 1;
  return jstat.studentt.cdf(-Math.max(0, Math.abs(effect) - floor - grain) / error, df);
}

/**
 * `same` is earned: only where the whole interval lies inside the margin. A change is told where the family lets the
 * claim stand.
 * @param {Finding} finding
 * @param {{ holds: boolean, alpha: number, margin: number }} rule margin: a share; alpha: the claim's part of the risk
 * @returns {MetricComparison}
 */
export function judgeFinding(finding, { holds, alpha, margin }) {
  const { metric: id, base, head, effect, error, df, floor, grain, rounds } = finding;
  const enough = Math.max(margin, floor);
  const seen = { metric: id, base, head, effectPct: percent(effect), marginPct: 100 * enough };
  if (df <= 0) return { ...seen, verdict: 'unsure', why: { code: 'one-boot' } };
  const measured = { ...seen, errorPct: 100 * error };
  const half = reach({ error, df }, BEYOND) + grain;
  const ciPct = intervalOf(effect, half);
  if (Math.max(...ciPct.map(Math.abs)) < 100 * enough)
    return { ...measured, ciPct, verdict: 'same', why: { code: 'inside-margin' } };
  if (holds) {
    const why = { code: /** @type {const} */ ('changed'), byPct: percent(effect), givePct: percent(half) };
    return { ...measured, ciPct, verdict: isBetter(finding) ? 'improved' : 'regressed', why };
  }
  const open = Math.max(half, reach({ error, df }, alpha) + grain);
  const unsure = { ...measured, ciPct: intervalOf(effect, open), verdict: /** @type {const} */ ('unsure') };
  if (grain > margin) return { ...unsure, why: { code: 'too-coarse', stepPct: 100 * grain } };
  const moreRounds = roundsToSettle({ effect, half: open, margin: enough, boots: rounds });
  return { ...unsure, why: { code: 'open', moreRounds } };
}

/**
 * @param {{ error: number, df: number }} location
 * @param {number} alpha the chance, to either side, that the interval misses the truth
 * @returns {number} how far the interval reaches to each side
 */
export function reach({ error, df }, alpha) {
  return jstat.studentt.inv(1 - alpha, df) * error;
}

/**
 * @param {number} effect
 * @param {number} half
 * @returns {[number, number]} percent
 */
function intervalOf(effect, half) {
  return [percent(effect - half), percent(effect + half)];
}

/**
 * An interval shrinks with the root of the rounds. It settles the matter when it fits into the margin or leaves out
 * zero, whichever the present estimate is nearer to.
 * @param {{ effect: number, half: number, margin: number, boots: number }} seen boots: of the side with fewer
 * @returns {number} at least 1
 */
export function roundsToSettle({ effect, half, margin, boots }) {
  const needed = Math.max(margin - Math.abs(effect), Math.abs(effect));
  return Math.max(1, Math.min(LARGEST, Math.ceil(boots * (half / needed) ** 2) - boots));
}

/**
 * Speed decides; a change for the worse in anything outweighs; a change for the better in anything but speed counts
 * only where speed is not in doubt, nor measured the least bit worse: requests that wait less are answered faster.
 * @param {MetricComparison[]} metrics
 * @returns {Verdict}
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
 * On a machine that others use, throughput wavers many times wider than CPU time a request, and would keep every case open
 * for hours. Then the sharper of the two has the say, unless the other leans to a change by more than luck.
 * @param {MetricComparison[]} speeds
 * @returns {Verdict}
 */
function sharperOf(speeds) {
  const errorOf = ({ errorPct = 0 }) => errorPct;
  const [sharp, dull] = speeds
    .filter(({ errorPct }) => errorPct !== undefined)
    .toSorted((a, b) => errorOf(a) - errorOf(b));
  if (!sharp) return 'unsure';
  if (!dull) return speeds.length > 1 ? 'unsure' : sharp.verdict;
  const leans = Math.abs(dull.effectPct ?? 0) > LEANS * errorOf(dull);
  return errorOf(dull) > SHARPER * errorOf(sharp) && !leans ? sharp.verdict : 'unsure';
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
 * @returns {number} finite: an interval from two rounds can reach farther than numbers do
 */
export function percent(log) {
  return Math.min(Math.expm1(log) * 100, LARGEST);
}
