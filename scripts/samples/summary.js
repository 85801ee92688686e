/**
 * A case's trials in one row.
 * @import { Case, Errors, LatencyMs, PerSecond, Summary, Trial, Window } from '../types.js'
 */

import { latencyMsOf, mergeLatencies } from './latencies.js';

/** A load tool that used this share of the cores that it can keep busy could not have sent more. */
const CLIENT_LIMIT = 0.95;
/** A server below this share of the cores that it can keep busy was waiting for requests. */
const SERVER_IDLE = 0.9;

const PER_SECOND = /** @type {const} */ (['p1', 'p2_5', 'p50', 'p97_5', 'avg', 'stdev', 'min']);
/** @type {(keyof LatencyMs)[]} */
const LATENCIES = ['avg', 'stdev', 'min', 'p2_5', 'p50', 'p75', 'p90', 'p95', 'p97_5', 'p99', 'p99_9', 'max'];

/**
 * Failed trials are counted, their figures are not.
 * @param {Trial[]} trials
 * @param {Pick<Case, 'load' | 'clientCores' | 'serverCores'>} of
 * @returns {Summary | undefined} undefined while no trial succeeded
 */
export function summarize(trials, { load, clientCores = load.threads, serverCores = 1 }) {
  const good = trials.filter(({ failure, windows }) => !failure && windows.length > 0);
  if (good.length === 0) return undefined;
  const windows = good.flatMap((trial) => trial.windows);
  const throughputs = good.map(throughputOf);
  const bytes = windows.every((window) => window.bytes !== undefined);
  const errors = errorsIn({ windows });
  return defined({
    trials: good.length,
    failed: trials.length - good.length,
    throughput: mean(throughputs),
    throughputStdev: good.length > 1 ? stdev(throughputs) : undefined,
    throughputMin: Math.min(...throughputs),
    throughputMax: Math.max(...throughputs),
    ...latencyOf(good),
    requests: sum(windows.map(({ requests }) => requests)),
    bytes: bytes ? sum(windows.map((window) => window.bytes ?? 0)) : undefined,
    errors: errors && Object.keys(errors).length > 0 ? errors : undefined,
    requestsPerSecond: perSecondOf(windows.map((window) => window.requestsPerSecond)),
    bytesPerSecond: perSecondOf(windows.map((window) => window.bytesPerSecond)),
    cpuPerRequestUs: meanOf(good.map(cpuPerRequestUs)),
    rssBytes: meanOf(good.map(peakBytes)),
    foreignShare: meanOf(windows.map(({ cpu }) => cpu?.foreignShare)),
    stealShare: meanOf(windows.map(({ cpu }) => cpu?.stealShare)),
    clientBound:
      good.filter((trial) => isClientBound(trial, { clientCores, serverCores })).length * 2 > good.length ||
      undefined,
  });
}

/**
 * @param {Trial} trial
 * @returns {number} requests a second
 */
export function throughputOf({ windows }) {
  return sum(windows.map(({ requests }) => requests)) / sum(windows.map(({ seconds }) => seconds));
}

/**
 * @param {Trial} trial
 * @returns {number | undefined} microseconds of server CPU a request
 */
export function cpuPerRequestUs({ windows }) {
  return perRequestUs(windows, 'serverSeconds');
}

/**
 * @param {Trial} trial
 * @returns {number | undefined} the same of what stands before the server
 */
export function frontCpuPerRequestUs({ windows }) {
  return perRequestUs(windows, 'frontSeconds');
}

/**
 * @param {Window[]} windows
 * @param {'serverSeconds' | 'frontSeconds'} whose
 * @returns {number | undefined} undefined where a window lacks it
 */
function perRequestUs(windows, whose) {
  const seconds = windows.flatMap(({ cpu }) => cpu?.[whose] ?? []);
  const requests = sum(windows.map((window) => window.requests));
  if (seconds.length < windows.length || requests === 0) return undefined;
  return (sum(seconds) / requests) * 1e6;
}

/**
 * @param {Trial} trial
 * @returns {number | undefined} the highest resident memory, in bytes
 */
export function peakBytes({ windows }) {
  const peaks = windows.flatMap(({ rssBytes }) => rssBytes ?? []);
  return peaks.length > 0 ? Math.max(...peaks) : undefined;
}

/**
 * What the windows' own figures come to: percentiles as the mean of the windows', weighed by their requests.
 * @param {Pick<Trial, 'windows'>} trial
 * @param {keyof LatencyMs} name
 * @returns {number | undefined} milliseconds; undefined where a window lacks it
 */
export function latencyIn({ windows }, name) {
  const known = windows.filter(({ latencyMs }) => latencyMs?.[name] !== undefined);
  if (known.length === 0 || known.length < windows.length) return undefined;
  if (name === 'max') return Math.max(...known.map(({ latencyMs }) => latencyMs?.max ?? 0));
  if (name === 'min') return Math.min(...known.map(({ latencyMs }) => latencyMs?.min ?? 0));
  const requests = sum(windows.map((window) => window.requests));
  const weighted = known.map((window) => (window.latencyMs?.[name] ?? 0) * window.requests);
  return requests > 0 ? sum(weighted) / requests : undefined;
}

/**
 * Of all requests where the load tool tells how long each took; otherwise means over boots, but the extremes of all.
 * @param {Trial[]} trials
 * @returns {Pick<Summary, 'latencyMs' | 'meanPercentiles'>}
 */
function latencyOf(trials) {
  /** @type {LatencyMs} */
  const known = {};
  for (const name of LATENCIES) {
    const values = trials.flatMap((trial) => latencyIn(trial, name) ?? []);
    if (values.length < trials.length) continue;
    if (name === 'max') known.max = Math.max(...values);
    else known[name] = name === 'min' ? Math.min(...values) : mean(values);
  }
  if (Object.keys(known).length === 0) return {};
  const windows = trials.flatMap((trial) => trial.windows);
  const all = mergeLatencies(trials.map(({ latencies }) => latencies));
  if (!all) return { latencyMs: known, ...(windows.length > 1 && { meanPercentiles: true }) };
  const avg = latencyIn({ windows }, 'avg');
  return { latencyMs: { ...known, ...(avg !== undefined && { avg }), ...latencyMsOf(all) } };
}

/**
 * @param {Pick<Trial, 'windows'>} of
 * @returns {Partial<Errors> | undefined} counts by kind; undefined where no window counted errors
 */
export function errorsIn({ windows }) {
  const counted = windows.flatMap(({ errors }) => errors ?? []);
  if (counted.length === 0) return undefined;
  /** @type {Partial<Errors>} */
  const total = {};
  for (const errors of counted) {
    for (const kind of /** @type {(keyof Errors)[]} */ (Object.keys(errors)))
      total[kind] = (total[kind] ?? 0) + (errors[kind] ?? 0);
  }
  return total;
}

/**
 * @param {(PerSecond | undefined)[]} spreads
 * @returns {PerSecond | undefined} undefined where a window lacks it, or lacks a part of it
 */
function perSecondOf(spreads) {
  const means = PER_SECOND.map((name) => [name, meanOf(spreads.map((spread) => spread?.[name]))]);
  if (means.some(([, value]) => value === undefined)) return undefined;
  return {
    .../** @type {PerSecond} */ (Object.fromEntries(means)),
    min: Math.min(...spreads.flatMap((spread) => spread?.min ?? [])),
  };
}

/**
 * The tool had no more to give while the server had.
 * @param {Trial} trial
 * @param {{ clientCores: number, serverCores: number }} limits
 */
function isClientBound({ windows }, { clientCores, serverCores }) {
  const client = windows.flatMap(({ cpu }) => cpu?.clientSeconds ?? []);
  const server = windows.flatMap(({ cpu }) => cpu?.serverSeconds ?? []);
  if (client.length < windows.length || server.length < windows.length) return false;
  const seconds = sum(windows.map((window) => window.seconds));
  return (
    sum(client) / seconds >= CLIENT_LIMIT * clientCores && sum(server) / seconds < SERVER_IDLE * serverCores
  );
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {number[]} values */
function mean(values) {
  return sum(values) / values.length;
}

/**
 * @param {(number | undefined)[]} values
 * @returns {number | undefined} undefined where one is missing, or all are
 */
export function meanOf(values) {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 && known.length === values.length ? mean(known) : undefined;
}

/** @param {number[]} values */
function stdev(values) {
  const center = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - center) ** 2)) / (values.length - 1));
}

/**
 * @template {object} T
 * @param {T} value
 * @returns {{ [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }}
 */
function defined(value) {
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
  );
}
