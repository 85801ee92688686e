/**
 * The one table of metrics, a row each: whoever asks "is more better?" asks it here.
 * @import { Metric, MetricComparison, MetricId, Trial } from '../types.js'
 */

import {
  cpuPerRequestUs,
  errorsIn,
  frontCpuPerRequestUs,
  latencyIn,
  meanOf,
  peakBytes,
  throughputOf,
} from './summary.js';

/**
 * How far unchanged servers move from run to run, as standard deviations of the logarithm. Beside a reference in the same
 * cycles 3.6 % at most on one kind of machine (three years of public daily figures of ten servers); alone 12 %, as one
 * unchanged server was seen at 78k and at 91k requests a second within minutes.
 */
export const SPEED_SPREAD = { besideReference: 0.036, alone: 0.12 };
/** Tails of latency are steadier nowhere; no recording of runs says better. */
export const LATENCY_SPREAD = { besideReference: 0.15, alone: 0.25 };
export const MEMORY_SPREAD = { besideReference: 0.05, alone: 0.05 };

/** What an allocator keeps or gives back as it likes, in bytes. */
export const ALLOCATOR_BYTES = 4e6;

/** What an event loop's clock does not tell apart, in milliseconds: it looks every ten. */
export const TIMER_MS = 10;

/** @type {Metric[]} */
export const METRICS = [
  {
    id: 'throughput',
    label: 'Throughput',
    short: 'req/s',
    unit: 'req/s',
    better: 'more',
    role: 'speed',
    gate: true,
    weight: 0.25,
    scales: true,
    spread: SPEED_SPREAD,
    of: throughputOf,
  },
  {
    id: 'cpuPerRequest',
    label: 'CPU per request',
    short: 'CPU/req',
    column: 'CPU µs/req',
    unit: 'µs',
    better: 'less',
    role: 'speed',
    gate: true,
    weight: 0.5,
    scales: true,
    spread: SPEED_SPREAD,
    of: cpuPerRequestUs,
  },
  {
    id: 'frontCpuPerRequest',
    label: 'CPU per request before the server',
    column: 'Front µs/req',
    unit: 'µs',
    better: 'less',
    role: 'resource',
    gate: false,
    weight: 0.01,
    scales: true,
    spread: SPEED_SPREAD,
    of: frontCpuPerRequestUs,
  },
  {
    ...latency('p50'),
    weight: 0.05,
    spread: SPEED_SPREAD,
  },
  {
    ...latency('p99'),
    short: 'p99',
    decidesOpen: true,
    weight: 0.1,
    spread: LATENCY_SPREAD,
  },
  {
    id: 'memory',
    label: 'Memory',
    column: 'Memory MB',
    unit: 'bytes',
    better: 'less',
    role: 'resource',
    gate: false,
    weight: 0.05,
    floor: ALLOCATOR_BYTES,
    scales: false,
    spread: MEMORY_SPREAD,
    of: peakBytes,
  },
  {
    id: 'eventLoopP99',
    label: 'Event-loop delay p99',
    unit: 'ms',
    better: 'less',
    role: 'resource',
    gate: false,
    weight: 0.01,
    floor: TIMER_MS,
    scales: true,
    spread: LATENCY_SPREAD,
    of: eventLoopP99,
  },
  {
    id: 'memorySlope',
    label: 'Memory growth',
    unit: 'bytes/s',
    better: 'less',
    role: 'resource',
    gate: false,
    weight: 0.01,
    floor: ALLOCATOR_BYTES,
    scales: false,
    spread: LATENCY_SPREAD,
    of: growthOf,
  },
  {
    id: 'errors',
    label: 'Errors',
    unit: 'share of requests',
    better: 'less',
    role: 'error',
    gate: true,
    weight: 0.05,
    scales: false,
    spread: LATENCY_SPREAD,
    of: errorShare,
  },
];

/** The one a load test is known by. */
export const LEADING = withRole('speed');
/** Compared by kind and count, unlike the others. */
export const ERRORS = withRole('error');
/** The sharpest first: the more it tells, the larger its part of the risk. */
export const SPEEDS = METRICS.filter(({ role }) => role === 'speed').toSorted((a, b) => b.weight - a.weight);

/**
 * @param {MetricId} id
 * @returns {Metric}
 */
export function metric(id) {
  return /** @type {Metric} */ (METRICS.find((each) => each.id === id));
}

/**
 * In open load throughput is what was asked for, and latency is what it costs.
 * @param {Pick<MetricComparison, 'metric' | 'rate'>} of
 * @returns {boolean} whether it is one of those that a load test is about
 */
export function decides({ metric: id, rate }) {
  return rate === undefined ? metric(id).role === 'speed' : metric(id).decidesOpen === true;
}

/**
 * @param {Metric['role']} role
 * @returns {Metric} the first
 */
function withRole(role) {
  return /** @type {Metric} */ (METRICS.find((each) => each.role === role));
}

/**
 * What the percentiles have in common; tools count them in whole milliseconds.
 * @param {'p50' | 'p99'} id
 */
function latency(id) {
  return {
    ...{ id, label: `${id} latency`, unit: 'ms', grain: 1 },
    ...{ better: /** @type {const} */ ('less'), role: /** @type {const} */ ('tail') },
    ...{ gate: true, scales: true },
    of: (/** @type {Trial} */ trial) => latencyIn(trial, id),
  };
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
  const asked = answered + count - (errors.non2xx ?? 0) - (errors.failed ?? 0) - (errors.checks ?? 0);
  return asked > 0 ? count / asked : undefined;
}

/**
 * @param {Trial} trial
 * @returns {number | undefined} milliseconds, a mean over the windows; undefined where one lacks it
 */
function eventLoopP99({ windows }) {
  return meanOf(windows.map(({ eventLoopDelayMs }) => eventLoopDelayMs?.p99));
}

/**
 * Memory that does not grow is told as a byte, since changes are quotients.
 * @param {Trial} trial
 * @returns {number | undefined} bytes a second, a mean over the windows; undefined where one lacks it
 */
function growthOf({ windows }) {
  const growth = meanOf(windows.map(({ rssBytesPerSecond }) => rssBytesPerSecond));
  return growth === undefined ? undefined : Math.max(1, growth);
}
