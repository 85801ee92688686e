/**
 * Errors: a kind that was not there before is a regression whatever its number; a known kind is compared as a rate.
 * @import { MetricComparison, Trial } from '../types.js'
 */

import { errorsIn, metric } from './metrics.js';
import { reach, welch } from './shift.js';
import { roundsToSettle } from './verdicts.js';

/** Failures of a boot that are the server's doing, not the tool's or the user's. */
const SERVER_FAILURES = ['exited-at-boot', 'never-ready', 'wrong-answer', 'died-under-load'];

/**
 * The share of the boots that is left out at each end of a rate: one wrecked boot of ten says nothing of it. Errors that
 * most boots do not have are the very boots that count.
 */
const TRIM = 0.1;

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
    metric: /** @type {const} */ ('errors'),
    ...(from.length > 0 && { base: mean(from) }),
    ...(to.length > 0 && { head: mean(to) }),
  };
  const fresh = [...(counted ? notIn(after, before) : []), ...freshFailures];
  if (fresh.length > 0)
    return [{ ...seen, verdict: 'regressed', why: `new kind of error: ${fresh.join(', ')}` }];
  if (before?.size === 0) return [{ ...seen, verdict: 'same', why: 'no errors' }];
  return [{ ...seen, ...compareRates(from, to, rule) }];
}

/**
 * By their square roots, which makes the spread of a count independent of its size (M. S. Bartlett, 1936).
 * @param {number[]} from share of requests that failed, a boot each
 * @param {number[]} to
 * @param {{ alpha: number, margin: number }} rule
 * @returns {Pick<MetricComparison, 'effectPct' | 'ciPct' | 'verdict' | 'why' | 'moreRounds'>}
 */
function compareRates(from, to, { alpha, margin }) {
  const roots = [from, to].map((side) => side.map(Math.sqrt));
  const isRare = roots.some((side) => side.filter((root) => root === 0).length > side.length / 2);
  const shift = welch(roots[0] ?? [], roots[1] ?? [], isRare ? 0 : TRIM);
  if (!shift) return { verdict: 'unsure', why: 'one boot a side tells no rate' };
  const half = reach({ error: Math.sqrt(shift.variance), df: shift.freedom }, alpha);
  const [effect = 0, low = 0, high = 0] = [0, -half, half].map(
    (off) => (Math.max(0, shift.from + shift.difference + off) / shift.from) ** 2 - 1,
  );
  const why = `share of requests that failed, over ${from.length} and ${to.length} boots`;
  const seen = {
    effectPct: 100 * effect,
    ciPct: /** @type {[number, number]} */ ([100 * low, 100 * high]),
    why,
  };
  if (Math.max(-low, high) < margin) return { ...seen, verdict: 'same' };
  if (low > 0) return { ...seen, verdict: 'regressed' };
  if (high < 0) return { ...seen, verdict: 'improved' };
  const boots = Math.min(from.length, to.length);
  return {
    ...seen,
    verdict: 'unsure',
    moreRounds: roundsToSettle({ effect, half: high - effect, margin, boots }),
  };
}

/**
 * @param {Trial[]} trials
 * @returns {Set<string> | undefined} kinds that occurred; undefined where nobody counted
 */
function countedKinds(trials) {
  const counted = good(trials).flatMap((trial) => errorsIn(trial) ?? []);
  if (counted.length === 0) return undefined;
  return new Set(counted.flatMap(Object.entries).flatMap(([kind, count]) => (count > 0 ? [kind] : [])));
}

/** @param {Trial[]} trials */
function failureKinds(trials) {
  return new Set(
    trials.flatMap(({ failure }) =>
      failure && SERVER_FAILURES.includes(failure.kind) ? [failure.kind] : [],
    ),
  );
}

/** @param {Trial[]} trials */
function rates(trials) {
  return good(trials).flatMap((trial) => metric('errors').of(trial) ?? []);
}

/** @param {Trial[]} trials */
function good(trials) {
  return trials.filter(({ failure }) => !failure);
}

/**
 * @param {Set<string>} kinds
 * @param {Set<string>} known
 */
function notIn(kinds, known) {
  return [...kinds].filter((kind) => !known.has(kind));
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
