/**
 * The one registry of figures. A row says how a figure is computed from windows and what it is used for;
 * nothing outside of samples/ needs to know which field of a window a figure comes from.
 * @import { Config, Cpu, Figure, LatencyMs, Metric, MetricComparison, MetricId, Trial,
 *   Window } from '../types.js'
 */

import { sum } from 'd3-array';
import { DISTURBED, othersShare } from '../model/interference.js';
import { perSecond, perWindow, RUNTIME_FIGURES } from './runtime-figures.js';
import {
  ALLOCATOR_BYTES,
  BYTES_SPREAD,
  COUNT_SPREAD,
  HALF,
  LATENCY_SPREAD,
  MEMORY_SPREAD,
  SPEED_SPREAD,
} from './spreads.js';

const perRequest = (/** @type {Window} */ { requests }) => requests;

const TAIL = { role: /** @type {const} */ ('tail'), gate: true, grain: 1, scales: true };
const MEMORY = {
  role: /** @type {const} */ ('resource'),
  gate: false,
  floor: ALLOCATOR_BYTES,
  scales: false,
};

const COUNT = { role: /** @type {const} */ ('count'), gate: false, scales: false };

/** @type {(readStart: NonNullable<Figure['readStart']>) => Pick<Figure, 'read' | 'readStart' | 'better'>} */
const ofStart = (readStart) => ({ better: 'less', read: () => undefined, readStart });

/** @type {Figure[]} */
export const FIGURES = [
  // The figures of streams come first: throughput and latency depend on how long a stream lasts.
  { ...streamFigure('firstByteMs', 'p50', { weight: 0.5, decides: 'stream' }), few: true },
  { ...streamFigure('firstByteMs', 'p99', { weight: 0.1 }), few: true },
  { ...streamFigure('longestGapMs', 'p50', { weight: 0.25 }), few: true },
  streamFigure('longestGapMs', 'p99', { weight: 0.1 }),
  {
    id: 'throughput',
    label: 'Throughput',
    short: 'req/s',
    unit: 'req/s',
    better: 'more',
    read: ({ requests }) => requests,
    per: perSecond,
    judged: { role: 'speed', gate: true, weight: 0.25, scales: true, spread: SPEED_SPREAD },
    lane: {},
  },
  {
    id: 'peakThroughput',
    label: 'Throughput of the best second',
    unit: 'req/s',
    read: ({ peakRequestsPerSecond, requestsPerSecond }) => peakRequestsPerSecond ?? requestsPerSecond?.max,
  },
  {
    id: 'cpuPerRequest',
    label: 'CPU per request',
    short: 'CPU/req',
    column: 'CPU µs/req',
    unit: 'µs',
    better: 'less',
    read: (window) => costIn(window, window.cpu?.serverSeconds),
    per: perRequest,
    scale: 1e6,
    judged: { role: 'speed', gate: true, weight: 0.5, scales: true, spread: SPEED_SPREAD },
    lane: {},
  },
  {
    id: 'proxyCpuPerRequest',
    label: 'CPU per request before the server',
    column: 'Proxy µs/req',
    unit: 'µs',
    better: 'less',
    read: (window) => costIn(window, window.cpu?.proxySeconds),
    per: perRequest,
    scale: 1e6,
    judged: { role: 'resource', gate: false, weight: 0.01, scales: true, spread: SPEED_SPREAD },
  },
  { ...latencyFigure('p50'), judged: { ...TAIL, weight: 0.05, spread: SPEED_SPREAD } },
  {
    ...latencyFigure('p99'),
    short: 'p99',
    judged: { ...TAIL, decides: 'open', weight: 0.1, spread: LATENCY_SPREAD },
  },
  {
    id: 'memory',
    label: 'Memory',
    column: 'Memory MB',
    unit: 'bytes',
    better: 'less',
    read: ({ rssBytes }) => rssBytes,
    partial: true,
    judged: { ...MEMORY, weight: 0.05, spread: MEMORY_SPREAD },
    lane: { slope: 'memorySlope' },
    runtime: 'peak',
  },
  {
    id: 'meanMemory',
    label: 'Mean memory',
    unit: 'bytes',
    read: ({ rssMeanBytes }) => rssMeanBytes,
    per: perWindow,
  },
  {
    id: 'allocated',
    label: 'Allocated per request',
    column: 'Allocated B/req',
    unit: 'B',
    better: 'less',
    runtimes: ['node', 'java'],
    read: (window) => costIn(window, window.allocatedBytes),
    per: perRequest,
    partial: true,
    judged: { ...COUNT, margin: 0.01, weight: 0.02, spread: BYTES_SPREAD },
  },
  countFigure('outgoing', { label: 'Outgoing requests per request', runtimes: ['node'] }),
  countFigure('statements', { label: 'Statements per request', column: 'Statements/req', few: true }),
  {
    id: 'startupCpu',
    label: 'CPU until ready',
    unit: 'ms',
    ...ofStart(({ cpuMs }) => cpuMs),
    judged: { role: 'startup', gate: false, inPairs: true, weight: 0.8, scales: true, spread: SPEED_SPREAD },
  },
  {
    // Servers that start together share the cores, and the wait for the first answer has steps: CPU time
    // shows more.
    id: 'startupTime',
    label: 'Time until ready',
    unit: 'ms',
    ...ofStart(({ ms }) => ms),
    judged: { role: 'startup', gate: false, weight: 0.1, scales: true, spread: LATENCY_SPREAD },
  },
  {
    id: 'startupMemory',
    label: 'Memory when ready',
    unit: 'bytes',
    ...ofStart(({ rssBytes }) => rssBytes),
    judged: { ...MEMORY, role: 'startup', weight: 0.1, spread: MEMORY_SPREAD },
  },
  ...RUNTIME_FIGURES,
  {
    id: 'memorySlope',
    label: 'Memory growth',
    unit: 'bytes/s',
    better: 'less',
    read: ({ rssBytesPerSecond }) => rssBytesPerSecond,
    per: perWindow,
    partial: true,
    judged: { ...MEMORY, weight: 0.01, least: 1, spread: LATENCY_SPREAD },
    runtime: 'growth',
    notable: 1e7,
  },
  coresFigure('serverCores', 'Cores of the server', 'serverSeconds'),
  coresFigure('clientCores', 'Cores of the load tool', 'clientSeconds'),
  coresFigure('proxyCores', 'Cores before the server', 'proxySeconds'),
  coresFigure('servicesCores', 'Cores of its services', 'servicesSeconds'),
  {
    id: 'busiestInstance',
    label: 'Share of the busiest instance',
    unit: 'share',
    read: ({ instanceSeconds }) => instanceSeconds?.[0],
    per: ({ instanceSeconds = [] }) => sum(instanceSeconds),
    partial: true,
  },
  {
    id: 'others',
    label: 'Other programs',
    unit: 'share',
    read: (window) => window.cpu && othersShare(window),
    per: perWindow,
    partial: true,
    notable: DISTURBED,
    lane: { name: 'others', fromZero: true },
  },
  {
    id: 'errors',
    label: 'Errors',
    unit: 'share of requests',
    better: 'less',
    read: ({ errors }) => errors && sum(Object.values(errors)),
    // Requests sent: those answered include those that got an error as the answer.
    per: ({ requests, errors: { non2xx: _, failed: __, checks: ___, ...lost } = {} }) =>
      requests + sum(Object.values(lost)),
    partial: true,
    judged: { role: 'error', gate: true, weight: 0.05, scales: false, spread: LATENCY_SPREAD },
  },
];

/** Judged figures. */
export const METRICS = /** @type {Metric[]} */ (FIGURES.filter(({ judged }) => judged));
/** Those that no clock measures. */
export const COUNTS = METRICS.filter(({ judged }) => judged.role === 'count');
const ROWS = new Map(FIGURES.map((row) => [row.id, row]));
/** The figure that a load test is known by. */
export const LEADING = metric('throughput');
/** Compared by kind and count, unlike the others. */
export const ERRORS = metric('errors');
/** No figure, but it has a gate like one. */
export const ANSWER = 'answer';

/**
 * Whether the figure has a gate that may fail the check.
 * @type {(gates: Config['gates'], id: MetricId) => boolean}
 */
export function isGated(gates, id) {
  return (gates?.[id] ?? 'never') !== 'never';
}

/** Gated or limited. @type {(rules: Pick<Config, 'gates' | 'limits'>, id: MetricId) => boolean} */
export function isRuled({ gates, limits = [] }, id) {
  return isGated(gates, id) || limits.some((limit) => limit.metric === id);
}

/** @type {(rules: Pick<Config, 'margin' | 'margins'>, id: MetricId) => number} */
export function marginOf({ margin, margins }, id) {
  return margins?.[id] ?? metric(id).judged.margin ?? margin;
}

/** Whether any is of a figure that pairs of starts show. @type {(gates: Config['gates']) => boolean} */
export function arePairsGated(gates) {
  return METRICS.some(({ id, judged }) => judged.inPairs && isGated(gates, id));
}

/** The most precise first: it gets the largest part of the risk. */
export const SPEEDS = METRICS.filter(({ judged }) => judged.role === 'speed').toSorted(
  (a, b) => b.judged.weight - a.judged.weight,
);

/** Percentiles of latency that nothing judges have no row of their own. @type {(id: string) => Figure} */
export function figure(id) {
  return ROWS.get(id) ?? latencyFigure(/** @type {keyof LatencyMs} */ (id));
}

/** Takes the id of a judged figure. @type {(id: MetricId) => Metric} */
export function metric(id) {
  return /** @type {Metric} */ (METRICS.find((row) => row.id === id));
}

/**
 * Under an open load throughput is what was asked for, and latency is what it costs; of streams, throughput
 * is how long they last. Returns whether the figure decides the case's verdict.
 * @type {(change: Pick<MetricComparison, 'metric' | 'rate' | 'stream'>) => boolean}
 */
export function decides({ metric: id, rate, stream }) {
  const { role, decides: kind } = metric(id).judged;
  if (stream) return kind === 'stream';
  return rate === undefined ? role === 'speed' : kind === 'open';
}

/**
 * The percentiles of a start are the means of its windows', weighted by their requests.
 * @type {(name: keyof LatencyMs) => Figure}
 */
function latencyFigure(name) {
  return {
    id: name,
    label: `${name} latency`,
    unit: 'ms',
    better: 'less',
    read: ({ latencyMs, requests }) => latencyMs?.[name] && latencyMs[name] * requests,
    per: perRequest,
  };
}

/**
 * Judged as latencies are.
 * @type {(field: 'firstByteMs' | 'longestGapMs', rank: 'p50' | 'p99',
 *   judged: { weight: number, decides?: 'stream' }) => Figure}
 */
function streamFigure(field, rank, judged) {
  const label = `${field === 'firstByteMs' ? 'First byte' : 'Longest gap'} ${rank}`;
  const isMiddle = rank === 'p50';
  return {
    id: field.replace('Ms', rank.toUpperCase()),
    label,
    column: isMiddle ? `${label} ms` : label,
    unit: 'ms',
    better: 'less',
    read: ({ requests, [field]: times }) => times && times[rank] * requests,
    per: perRequest,
    // A window may have no stream of two events.
    partial: true,
    judged: { ...TAIL, ...judged, spread: isMiddle ? SPEED_SPREAD : LATENCY_SPREAD },
  };
}

/**
 * How many a request has, of several kinds.
 * @type {(id: 'outgoing' | 'statements', more: Pick<Figure, 'label' | 'column' | 'few' | 'runtimes'>) =>
 *   Figure}
 */
function countFigure(id, more) {
  /** How many a start counted without load, at most. @type {(trial: Trial) => number} */
  const idle = ({ windows }) => Math.max(...windows.flatMap((window) => window[id]?.idle ?? []));
  return {
    id,
    unit: 'per request',
    better: 'less',
    read: (window) => window[id]?.count,
    kinds: (window) => window[id]?.by,
    per: perRequest,
    partial: true,
    judged: { ...COUNT, floor: HALF, idle, weight: 0.01, spread: COUNT_SPREAD },
    ...more,
  };
}

/** Cores that a part kept busy. @type {(id: string, label: string, seconds: keyof Cpu) => Figure} */
function coresFigure(id, label, seconds) {
  return { id, label, unit: 'cores', read: ({ cpu }) => cpu?.[seconds], per: perSecond };
}

/**
 * Undefined where most requests were under way at its end: nobody knows their share.
 * @type {(window: Window, cost: number | undefined) => number | undefined}
 */
function costIn({ unanswered }, cost) {
  return unanswered === undefined ? cost : undefined;
}
