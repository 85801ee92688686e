/**
 * The one table of metrics: whoever asks "is more better?" asks it here.
 * @import { Errors, Metric, MetricId, Trial } from '../types.js'
 */

import { cpuPerRequestUs, latencyIn, peakBytes, throughputOf } from '../store/summary.js';

/** @type {Metric[]} */
export const METRICS = [
  { id: 'throughput', label: 'Throughput', unit: 'req/s', better: 'more', gate: true, of: throughputOf },
  {
    id: 'cpuPerRequest',
    label: 'CPU per request',
    unit: 'µs',
    better: 'less',
    gate: true,
    of: cpuPerRequestUs,
  },
  {
    id: 'p50',
    label: 'p50 latency',
    unit: 'ms',
    better: 'less',
    gate: true,
    of: (trial) => latencyIn(trial, 'p50'),
  },
  {
    id: 'p99',
    label: 'p99 latency',
    unit: 'ms',
    better: 'less',
    gate: true,
    of: (trial) => latencyIn(trial, 'p99'),
  },
  { id: 'memory', label: 'Memory', unit: 'bytes', better: 'less', gate: true, of: peakBytes },
  { id: 'errors', label: 'Errors', unit: 'share of requests', better: 'less', gate: true, of: errorShare },
];

/**
 * @param {MetricId} id
 * @returns {Metric}
 */
export function metric(id) {
  return /** @type {Metric} */ (METRICS.find((each) => each.id === id));
}

/**
 * @param {Trial} trial
 * @returns {Partial<Errors> | undefined} counts by kind; undefined where no window counted errors
 */
export function errorsIn({ windows }) {
  const counted = windows.flatMap(({ errors }) => errors ?? []);
  if (counted.length === 0) return undefined;
  /** @type {Record<string, number>} */
  const total = {};
  for (const [kind, count] of counted.flatMap(Object.entries)) total[kind] = (total[kind] ?? 0) + count;
  return total;
}

/**
 * Of all that was asked: requests are those that were answered, if only by an error.
 * @param {Trial} trial
 */
function errorShare(trial) {
  const errors = errorsIn(trial);
  if (!errors) return undefined;
  const answered = trial.windows.reduce((sum, window) => sum + window.requests, 0);
  const count = Object.values(errors).reduce((sum, each) => sum + each, 0);
  const asked = answered + count - (errors.non2xx ?? 0);
  return asked > 0 ? count / asked : undefined;
}
