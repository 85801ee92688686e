/**
 * Errors: a kind that was not there before is a regression whatever its number; a known kind is compared as a rate.
 * @import { MetricComparison, Trial } from '../types.js'
 * @import { Context } from './compare-metric.js'
 */

import { errorsIn, metric } from './metrics.js';
import { interval, welch } from './shift.js';

/**
 * @param {{ base: Trial[], head: Trial[] }} trials
 * @param {Context} context
 * @returns {MetricComparison[]} none where a side did not count errors
 */
export function compareErrors({ base, head }, { alpha }) {
  const kinds = [kindsIn(base), kindsIn(head)];
  const [before, after] = kinds;
  if (!before || !after) return [];
  const shares = [base, head].map((trials) => trials.flatMap((trial) => metric('errors').of(trial) ?? []));
  const [from = [], to = []] = shares;
  const seen = { metric: /** @type {const} */ ('errors'), base: mean(from), head: mean(to) };
  const fresh = [...after].filter((kind) => !before.has(kind));
  if (fresh.length > 0)
    return [{ ...seen, verdict: 'regressed', why: `new kind of error: ${fresh.join(', ')}` }];
  if (after.size === 0) {
    const verdict = before.size === 0 ? 'same' : 'improved';
    return [{ ...seen, verdict, why: before.size === 0 ? 'no errors' : 'no errors any more' }];
  }
  if (from.length < 2 || to.length < 2)
    return [{ ...seen, verdict: 'unsure', why: 'one boot a side tells no rate' }];
  const [low, high] = interval(welch(from, to), alpha);
  const verdict = low > 0 ? 'regressed' : high < 0 ? 'improved' : 'same';
  return [
    { ...seen, verdict, why: `share of requests that failed, over ${from.length} and ${to.length} boots` },
  ];
}

/**
 * @param {Trial[]} trials
 * @returns {Set<string> | undefined} kinds that occurred; undefined where nobody counted
 */
function kindsIn(trials) {
  const counted = trials.flatMap((trial) => errorsIn(trial) ?? []);
  if (counted.length === 0) return undefined;
  return new Set(counted.flatMap(Object.entries).flatMap(([kind, count]) => (count > 0 ? [kind] : [])));
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
