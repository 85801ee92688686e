/**
 * Errors: a kind that was not there before is a regression whatever its number; a known kind is compared as a rate.
 * @import { MetricComparison, Trial } from '../types.js'
 */

import { goodTrials } from './effects.js';
import { locate, mean } from './mean-estimate.js';
import { ERRORS } from '../samples/metrics.js';
import { errorsIn } from '../samples/summary.js';
import { percent, reach, roundsToSettle } from './verdicts.js';

/** Failures of a boot that are the server's doing, not the tool's or the user's. */
const SERVER_FAILURES = ['exited-at-boot', 'never-ready', 'wrong-answer', 'died-under-load'];

/**
 * @param {{ base: Trial[], head: Trial[] }} trials also those that failed
 * @param {{ alpha: number, margin: number }} rule alpha: the chance of a false alarm over a changed rate; margin: the
 *   share of the rate within which it counts as the same
 * @returns {MetricComparison[]} none where a side did not count errors and no server failed
 */
export function compareErrors({ base, head }, rule) {
  const [before, after] = [countedKinds(base), countedKinds(head)];
  const counted = before !== undefined && after !== undefined;
  const freshFailures = notIn(failureKinds(head), failureKinds(base));
  if (!counted && freshFailures.length === 0) return [];
  const [from, to] = [rates(base), rates(head)];
  const seen = {
    metric: ERRORS.id,
    ...(from.length > 0 && { base: mean(from) }),
    ...(to.length > 0 && { head: mean(to) }),
  };
  const fresh = [...(counted ? notIn(after, before) : []), ...freshFailures];
  if (fresh.length > 0) return [{ ...seen, verdict: 'regressed', why: { code: 'new-errors', kinds: fresh } }];
  if (before?.size === 0) return [{ ...seen, verdict: 'same', why: { code: 'no-errors' } }];
  return [{ ...seen, ...compareRates(from, to, rule) }];
}

/**
 * By their square roots, which makes the spread of a count independent of its size (M. S. Bartlett, 1936).
 * @param {number[]} from share of requests that failed, a boot each
 * @param {number[]} to
 * @param {{ alpha: number, margin: number }} rule
 * @returns {Pick<MetricComparison, 'effectPct' | 'ciPct' | 'verdict' | 'why'>}
 */
function compareRates(from, to, { alpha, margin }) {
  const pairs = from.slice(0, to.length).map((rate, place) => [rate, to[place] ?? 0].map(Math.sqrt));
  const failing = pairs.filter((pair) => pair.some((rate) => rate > 0));
  if (2 * failing.length < pairs.length) return { verdict: 'unsure', why: { code: 'rare-errors' } };
  const found = locate(pairs.map(([one = 0, other = 0]) => [other - one]));
  // Of all its boots: those beside the head's may have had none.
  const level = mean(from.map(Math.sqrt));
  if (!found || found.df === 0) return { verdict: 'unsure', why: { code: 'one-boot' } };
  const half = reach(found, alpha);
  const [effectPct = 0, lowPct = 0, highPct = 0] = [0, -half, half].map((off) =>
    percent(2 * Math.log(Math.max(0, level + found.effect + off) / level)),
  );
  const [effect, low, high] = [effectPct / 100, lowPct / 100, highPct / 100];
  const seen = {
    effectPct,
    ciPct: /** @type {[number, number]} */ ([lowPct, highPct]),
    why: { code: /** @type {const} */ ('error-rate'), rounds: found.rounds },
  };
  if (Math.max(-low, high) < margin) return { ...seen, verdict: 'same' };
  if (low > 0) return { ...seen, verdict: 'regressed' };
  if (high < 0) return { ...seen, verdict: 'improved' };
  const moreRounds = roundsToSettle({ effect, half: high - effect, margin, boots: found.rounds });
  return { ...seen, verdict: 'unsure', why: { ...seen.why, moreRounds } };
}

/**
 * @param {Trial[]} trials
 * @returns {Set<string> | undefined} kinds that occurred; undefined where nobody counted
 */
function countedKinds(trials) {
  const counted = goodTrials(trials).flatMap((trial) => errorsIn(trial) ?? []);
  if (counted.length === 0) return undefined;
  return new Set(counted.flatMap(Object.entries).flatMap(([kind, count]) => (count > 0 ? [kind] : [])));
}

/** @param {Trial[]} trials */
function failureKinds(trials) {
  const kinds = trials.flatMap(({ failure }) => failure?.kind ?? []);
  return new Set(kinds.filter((kind) => SERVER_FAILURES.includes(kind)));
}

/** @param {Trial[]} trials */
function rates(trials) {
  return goodTrials(trials).flatMap((trial) => ERRORS.of(trial) ?? []);
}

/**
 * @param {Set<string>} kinds
 * @param {Set<string>} known
 */
function notIn(kinds, known) {
  return [...kinds].filter((kind) => !known.has(kind));
}
