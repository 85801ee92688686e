/**
 * Compares errors: starts that failed are counted, and the shares of requests that failed are compared start
 * by start.
 * @import { MetricComparison, RunCase, Sample, Window } from '../types.js'
 * @import { FailedStarts } from './failed-starts.js'
 */

import { groups, sum } from 'd3-array';
import { defined } from '../model/defined.js';
import { ERRORS } from '../samples/figures.js';
import { errorsIn, levelOf, startsOf, windowsOf } from '../samples/case-figures.js';
import { failedStarts, judgeFailedStarts } from './failed-starts.js';
import { estimate, percent, sameRounds } from './mean-estimate.js';
import { halfWidth, LAST_DIGIT, mean, varianceOf } from '../samples/interval.js';
import { levelPctOf, MOST_ROUNDS } from './verdicts.js';
import { MOST_WRONG } from './wrong-answers.js';

/** Failed starts, errors of new kinds, and the rate of all have an equal part of the risk each. */
const CLAIMS = 3;
/** What a server that is too slow for its load causes. */
const LATE = ['timeouts', 'stalls'];
/** Answers that the server gave, whatever the machine did meanwhile. */
const ANSWERED = ['non2xx', 'failed'];

/**
 * @typedef {object} Rule
 * @property {number} alpha the chance of a false alarm
 * @property {number} margin the share of the rate within which it counts as the same
 * @property {boolean} isPaired whether the starts of a round ran beside each other; else the base is older
 *
 * Errors of a start, among the requests it was asked.
 * @typedef {Pick<Sample, 'round' | 'block' | 'at'> & { errors: number, asked: number }} Start
 *
 * @typedef {Pick<RunCase, 'trials'>} Measured with the starts that failed
 *
 * @param {{ base: Measured, head: Measured }} sides
 * @param {Rule} rule
 * @returns {{ changes: MetricComparison[], failed?: FailedStarts }} changes: none where a side did not count
 *   errors and no start failed too often; failed: starts, too few to tell from chance
 */
export function compareErrors({ base, head }, rule) {
  const failed = failedStarts({ base, head });
  const part = { ...rule, alpha: rule.alpha / CLAIMS };
  const verdict = failed && judgeFailedStarts(failed, part.alpha);
  if (verdict)
    return { changes: [{ metric: ERRORS.id, verdict, why: { code: 'failed-starts', ...failed } }] };
  return defined({ changes: compareRequests({ base, head }, part), failed });
}

/** @type {(sides: { base: Measured, head: Measured }, rule: Rule) => MetricComparison[]} */
function compareRequests({ base, head }, rule) {
  const [before, after] = [countsOf(base), countsOf(head)];
  if (!before || !after) return [];
  const [from, to] = [base, head].map((side) => levelOf(side, ERRORS.id)?.value);
  const seen = defined({ metric: ERRORS.id, base: from, head: to });
  const kinds = Object.keys(after).filter((kind) => !(kind in before));
  const requests = askedIn(windowsOf(head));
  /** @type {MetricComparison['why']} */
  const fresh = { code: 'new-errors', kinds, errors: sum(kinds, (kind) => after[kind]), requests };
  const wrong = sum(ANSWERED, (kind) => (kind in before ? 0 : after[kind]));
  if (wrong > MOST_WRONG * requests) return [{ ...seen, verdict: 'regressed', why: fresh }];
  const lateShare = (/** @type {Measured} */ side, /** @type {typeof before} */ counts) =>
    sum(LATE, (kind) => counts[kind]) / askedIn(windowsOf(side));
  const [baseShare, headShare] = [lateShare(base, before), lateShare(head, after)];
  if (Math.min(baseShare, headShare) > MOST_WRONG)
    return [{ ...seen, verdict: 'unsure', why: { code: 'too-slow-for-load', baseShare, headShare } }];
  if (Object.keys(before).length + kinds.length === 0)
    return [{ ...seen, verdict: 'same', why: { code: 'no-errors' } }];
  if (kinds.length > 0) {
    const { verdict } = compareRates(countedStarts(base, kinds), countedStarts(head, kinds), rule);
    if (verdict === 'regressed' || Object.keys(before).length === 0)
      return [{ ...seen, verdict: verdict === 'regressed' ? verdict : 'unsure', why: fresh }];
  }
  return [{ ...seen, ...compareRates(countedStarts(base), countedStarts(head), rule) }];
}

/**
 * Compares square roots, which makes the spread of a count independent of its size (M. S. Bartlett, 1936).
 * @type {(from: Start[], to: Start[], rule: Rule) =>
 *   Pick<MetricComparison, 'effectPct' | 'ciPct' | 'ciLevelPct' | 'verdict' | 'why'>}
 */
function compareRates(from, to, { alpha, margin, isPaired }) {
  const pairs = isPaired ? sameRounds(from, to) : [];
  const failing = pairs.filter((pair) => pair.some(({ errors }) => errors > 0));
  if (2 * failing.length < pairs.length) return { verdict: 'unsure', why: { code: 'rare-errors' } };
  const estimated = isPaired ? differenceOfPairs(pairs) : differenceOfRuns(from, to);
  if (!estimated || estimated.df <= 0)
    return { verdict: 'unsure', why: { code: isPaired ? 'one-start' : 'one-run' } };
  // The level of all starts of the base: those beside the head's may have had no errors.
  const level = mean(from.map(rootOf));
  const half = halfWidth(estimated, alpha);
  const changePct = (/** @type {number} */ off) =>
    percent(2 * Math.log(Math.max(0, level + estimated.effect + off) / level));
  const { rounds } = estimated;
  const [effectPct, lowPct, highPct] = [changePct(0), changePct(-half), changePct(half)];
  const ciPct = /** @type {[number, number]} */ ([lowPct, highPct]);
  const why = { code: /** @type {const} */ ('error-rate'), rounds };
  const seen = { effectPct, ciPct, ciLevelPct: levelPctOf(alpha), why };
  if (Math.max(-lowPct, highPct) / 100 < margin) return { ...seen, verdict: 'same' };
  if (lowPct > 0) return { ...seen, verdict: 'regressed' };
  if (highPct < 0) return { ...seen, verdict: 'improved' };
  // An interval shrinks with the root of the rounds until it fits into the margin, or leaves out zero.
  const room = Math.max(100 * margin - Math.abs(effectPct), Math.abs(effectPct));
  const needed = Math.ceil(rounds * ((highPct - effectPct) / room) ** 2);
  const moreRounds = Math.max(1, Math.min(MOST_ROUNDS + 1, needed - rounds));
  return { ...seen, verdict: 'unsure', why: { ...seen.why, moreRounds } };
}

/** @param {[Start, Start][]} pairs */
function differenceOfPairs(pairs) {
  const estimated = estimate(pairs.map(([before, after]) => [rootOf(after) - rootOf(before)]));
  const least = leastError(pairs.flat(), pairs.length);
  return estimated && { ...estimated, error: Math.max(estimated.error, least) };
}

/**
 * How far the stored runs lie apart counts, and how far the head's starts do.
 * @param {Start[]} stored
 * @param {Start[]} head
 */
function differenceOfRuns(stored, head) {
  const runs = groups(stored, ({ block }) => block).map(([, starts]) => mean(starts.map(rootOf)));
  const now = head.map(rootOf);
  const [apart = 0, within = 0] = [runs, now].map((roots) => (roots.length > 1 ? varianceOf(roots) : 0));
  const spread = Math.sqrt(apart * (1 + 1 / runs.length) + within / now.length) + LAST_DIGIT;
  const least = Math.hypot(leastError(stored, stored.length), leastError(head, head.length));
  const { length: rounds } = runs;
  return { effect: mean(now) - mean(runs), error: Math.max(spread, least), df: rounds - 1, rounds };
}

/**
 * The least standard error of a mean over so many starts. Four starts with an error each look alike by
 * chance. The root of a share varies at least as that of a count does, by a variance of a quarter.
 * @type {(starts: Start[], count: number) => number}
 */
function leastError(starts, count) {
  return Math.sqrt(sum(starts, ({ asked }) => 1 / (4 * asked))) / count;
}

/**
 * Counts by kind, of kinds that occurred; undefined where none were counted.
 * @type {(side: Measured) => Record<string, number> | undefined}
 */
function countsOf(side) {
  const errors = errorsIn({ windows: windowsOf(side) });
  return errors && Object.fromEntries(Object.entries(errors).filter(([, count]) => count > 0));
}

/** Starts that counted errors, of kinds or all. @type {(side: Measured, kinds?: string[]) => Start[]} */
function countedStarts(side, kinds) {
  return startsOf(side).flatMap(({ round, block, windows }) => {
    const errors = errorsIn({ windows });
    if (!errors) return [];
    const counted = Object.entries(errors).filter(([kind]) => kinds?.includes(kind) ?? true);
    return {
      ...defined({ round, block, at: windows[0]?.at }),
      errors: sum(counted, ([, count]) => count),
      asked: askedIn(windows),
    };
  });
}

/** The requests of windows that counted errors. @type {(windows: Window[]) => number} */
function askedIn(windows) {
  return sum(windows, (window) => (window.errors ? ERRORS.per?.(window) : 0));
}

/** The root of the share of its requests that failed. @type {(start: Start) => number} */
function rootOf({ errors, asked }) {
  return Math.sqrt(errors / asked);
}
