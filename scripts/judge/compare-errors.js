/**
 * Errors: a kind that was not there before is a regression whatever its number; a known kind is compared as a rate.
 * @import { MetricComparison, Trial } from '../types.js'
 */

import { errorsIn, metric } from './metrics.js';
import { pValue, welch } from './shift.js';

/** Failures of a boot that are the server's doing, not the tool's or the user's. */
const SERVER_FAILURES = ['exited-at-boot', 'never-ready', 'wrong-answer', 'died-under-load'];

/**
 * @param {{ base: Trial[], head: Trial[] }} trials also those that failed
 * @param {number} alpha the chance of a false alarm over a changed rate
 * @returns {MetricComparison[]} none where a side did not count errors and no server failed
 */
export function compareErrors({ base, head }, alpha) {
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
  if (after?.size === 0) return [{ ...seen, verdict: 'improved', why: 'no errors any more' }];
  // The square root makes the spread of a count independent of its size (M. S. Bartlett, 1936).
  const shift = welch(from.map(Math.sqrt), to.map(Math.sqrt));
  if (!shift) return [{ ...seen, verdict: 'unsure', why: 'one boot a side tells no rate' }];
  const p = pValue({ effect: shift.difference, error: Math.sqrt(shift.variance), df: shift.freedom });
  const why = `share of requests that failed, over ${from.length} and ${to.length} boots`;
  const verdict = p > alpha ? 'same' : shift.difference > 0 ? 'regressed' : 'improved';
  return [{ ...seen, verdict, why }];
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
