/**
 * Compares errors: a kind that was not there before is a regression whatever its number; a known kind is compared as a rate.
 * @import { MetricComparison, Sample, Trial } from '../types.js'
 */

import { groups } from 'd3-array';
import { defined } from '../model/defined.js';
import { ERRORS } from '../samples/figures.js';
import { levelOf, samplesOf, windowsOf } from '../samples/case-figures.js';
import { errorsIn } from '../samples/window-figures.js';
import { estimate, percent, sameRounds } from './mean-estimate.js';
import { halfWidth, LAST_DIGIT, mean, varianceOf } from '../samples/interval.js';
import { MOST_ROUNDS } from './verdicts.js';

/** Failures that the server causes, and neither the load tool nor the user. */
const SERVER_FAILURES = [
  'exited-at-start',
  'never-ready',
  'no-token',
  'wrong-answer',
  'died-under-load',
  'too-slow',
];

/**
 * @typedef {object} Rule
 * @property {number} alpha the chance of a false alarm over a changed rate
 * @property {number} margin the share of the rate within which it counts as the same
 * @property {boolean} isPaired whether the starts of a round ran beside each other; otherwise the base is of other days
 *
 * @param {{ base: Trial[], head: Trial[] }} trials with those that failed
 * @param {Rule} rule
 * @returns {MetricComparison[]} none where a side did not count errors and no server failed
 */
export function compareErrors({ base, head }, rule) {
  const [before, after] = [countedKinds(base), countedKinds(head)];
  const fresh = failureKinds(head).filter((kind) => !failureKinds(base).includes(kind));
  if (!(before && after) && fresh.length === 0) return [];
  const [from, to] = [countedStarts(base), countedStarts(head)];
  const [baseRate, headRate] = [base, head].map((trials) => levelOf({ trials }, ERRORS.id)?.value);
  const seen = defined({ metric: ERRORS.id, base: baseRate, head: headRate });
  const kinds = [...(before && after ? after.filter((kind) => !before.includes(kind)) : []), ...fresh];
  if (kinds.length > 0) return [{ ...seen, verdict: 'regressed', why: { code: 'new-errors', kinds } }];
  if (before?.length === 0) return [{ ...seen, verdict: 'same', why: { code: 'no-errors' } }];
  return [{ ...seen, ...compareRates(from, to, rule) }];
}

/**
 * Compares square roots, which makes the spread of a count independent of its size (M. S. Bartlett, 1936).
 * @param {Sample[]} from
 * @param {Sample[]} to @param {Rule} rule
 * @returns {Pick<MetricComparison, 'effectPct' | 'ciPct' | 'verdict' | 'why'>}
 */
function compareRates(from, to, { alpha, margin, isPaired }) {
  const pairs = (isPaired ? sameRounds(from, to) : []).map((pair) => pair.map(rateOf).map(Math.sqrt));
  const failing = pairs.filter((pair) => pair.some((rate) => rate > 0));
  if (2 * failing.length < pairs.length) return { verdict: 'unsure', why: { code: 'rare-errors' } };
  const estimated = isPaired
    ? estimate(pairs.map(([before = 0, after = 0]) => [after - before]))
    : differenceOfRuns(from, to);
  if (!estimated || estimated.df <= 0)
    return { verdict: 'unsure', why: { code: isPaired ? 'one-start' : 'one-run' } };
  // The level of all starts of the base: those beside the head's may have had no errors.
  const level = mean(from.map(rateOf).map(Math.sqrt));
  const half = halfWidth(estimated, alpha);
  const changePct = (/** @type {number} */ off) =>
    percent(2 * Math.log(Math.max(0, level + estimated.effect + off) / level));
  const { rounds } = estimated;
  const [effectPct, lowPct, highPct] = [changePct(0), changePct(-half), changePct(half)];
  /** @type {{ effectPct: number, ciPct: [number, number], why: { code: 'error-rate', rounds: number } }} */
  const seen = { effectPct, ciPct: [lowPct, highPct], why: { code: 'error-rate', rounds } };
  if (Math.max(-lowPct, highPct) / 100 < margin) return { ...seen, verdict: 'same' };
  if (lowPct > 0) return { ...seen, verdict: 'regressed' };
  if (highPct < 0) return { ...seen, verdict: 'improved' };
  // An interval shrinks with the root of the rounds until it fits into the margin, or leaves out zero.
  const room = Math.max(100 * margin - Math.abs(effectPct), Math.abs(effectPct));
  const needed = Math.ceil(rounds * ((highPct - effectPct) / room) ** 2);
  const moreRounds = Math.max(1, Math.min(MOST_ROUNDS + 1, needed - rounds));
  return { ...seen, verdict: 'unsure', why: { ...seen.why, moreRounds } };
}

/** How far the stored runs lie apart counts, and how far the head's starts do. @param {Sample[]} stored @param {Sample[]} head */
function differenceOfRuns(stored, head) {
  const rootsOf = (/** @type {Sample[]} */ starts) => starts.map(rateOf).map(Math.sqrt);
  const runs = groups(stored, ({ block }) => block).map(([, starts]) => mean(rootsOf(starts)));
  const now = rootsOf(head);
  const [apart = 0, within = 0] = [runs, now].map((roots) => (roots.length > 1 ? varianceOf(roots) : 0));
  const error = Math.sqrt(apart * (1 + 1 / runs.length) + within / now.length) + LAST_DIGIT;
  return { effect: mean(now) - mean(runs), error, df: runs.length - 1, rounds: runs.length };
}

/** @param {Trial[]} trials @returns {string[] | undefined} kinds that occurred; undefined where no window counted errors */
function countedKinds(trials) {
  const errors = errorsIn({ windows: windowsOf({ trials }) });
  return errors && Object.entries(errors).flatMap(([kind, count]) => (count > 0 ? [kind] : []));
}

/** @param {Trial[]} trials @returns {string[]} each once */
function failureKinds(trials) {
  const kinds = new Set(trials.flatMap(({ failure }) => failure?.kind ?? []));
  return [...kinds].filter((kind) => SERVER_FAILURES.includes(kind));
}

/** @param {Trial[]} trials @returns {Sample[]} those that counted errors */
function countedStarts(trials) {
  return samplesOf(trials).filter(({ whole }) => whole[ERRORS.id] !== undefined);
}

/** @param {Sample} start @returns {number} the share of its requests that failed */
function rateOf({ whole }) {
  return whole[ERRORS.id] ?? Number.NaN;
}
