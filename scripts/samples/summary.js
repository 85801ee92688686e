/**
 * Summarizes the starts of a case in one record.
 * @import { Case, LatencyMs, PerSecond, Summary, Trial, Window } from '../types.js'
 */

import { deviation, max, mean, min, sum } from 'd3-array';
import { defined } from '../model/defined.js';
import { allLatencies, errorsIn, figureIn, levelOf, startsOf, windowsOf } from './case-figures.js';
import { PERCENTILES } from './latencies.js';

/** A load tool that used this share of the cores that it can keep busy could not have sent more. */
const CLIENT_LIMIT = 0.95;
/** A server below this share of the cores that it can keep busy was waiting for requests. */
const SERVER_IDLE = 0.9;

const PER_SECOND = /** @type {const} */ (['p1', 'p2_5', 'p50', 'p97_5', 'avg', 'stdev', 'min']);

/**
 * Failed starts are counted, their figures are not. Undefined while no start succeeded.
 * @type {(trials: Trial[], measured: Pick<Case, 'load' | 'clientCores' | 'serverCores'>) =>
 *   Summary | undefined}
 */
export function summarize(trials, measured) {
  const good = startsOf({ trials });
  const throughput = levelOf({ trials }, 'throughput');
  if (!throughput) return undefined;
  const windows = windowsOf({ trials });
  const throughputs = good.map((trial) => figureIn('throughput', trial.windows) ?? 0);
  const errors = errorsIn({ windows });
  const bound = good.filter((trial) => isClientBound(trial.windows, measured));
  return defined({
    trials: good.length,
    failed: trials.length - good.length,
    throughput: throughput.value,
    throughputStdev: deviation(throughputs),
    throughputMin: Math.min(...throughputs),
    throughputMax: Math.max(...throughputs),
    ...latenciesOf({ trials }),
    requests: sum(windows, ({ requests }) => requests),
    bytes: over(windows, ({ bytes }) => bytes, sum),
    errors: errors && Object.keys(errors).length > 0 ? errors : undefined,
    requestsPerSecond: perSecondOf(windows.map(({ requestsPerSecond }) => requestsPerSecond)),
    bytesPerSecond: perSecondOf(windows.map(({ bytesPerSecond }) => bytesPerSecond)),
    cpuPerRequestUs: levelOf({ trials }, 'cpuPerRequest')?.value,
    rssBytes: levelOf({ trials }, 'memory')?.value,
    foreignShare: over(windows, ({ cpu }) => cpu?.foreignShare, mean),
    stealShare: over(windows, ({ cpu }) => cpu?.stealShare, mean),
    clientBound: bound.length * 2 > good.length || undefined,
  });
}

/** @type {(runCase: { trials: Trial[] }) => Pick<Summary, 'latencyMs' | 'meanPercentiles'>} */
function latenciesOf(runCase) {
  const windows = windowsOf(runCase);
  const all = allLatencies(runCase);
  // Percentiles of some starts only would contradict those of all.
  const means = ['avg', 'stdev', ...PERCENTILES.map(([name]) => name)].map((name) => {
    const level = levelOf(runCase, name);
    return [name, level?.n === startsOf(runCase).length ? level.value : undefined];
  });
  /** @type {LatencyMs} */
  const latencyMs = defined({
    ...(all ?? Object.fromEntries(means)),
    min: over(windows, ({ latencyMs: seen }) => seen?.min, min),
    max: over(windows, ({ latencyMs: seen }) => seen?.max, max),
  });
  if (Object.keys(latencyMs).length === 0) return {};
  const areMeans = !all && windows.length > 1 && PERCENTILES.some(([name]) => latencyMs[name] !== undefined);
  return { latencyMs, ...(areMeans && { meanPercentiles: true }) };
}

/**
 * Undefined where a window lacks it, or lacks a part of it.
 * @type {(spreads: (PerSecond | undefined)[]) => PerSecond | undefined}
 */
function perSecondOf(spreads) {
  const means = PER_SECOND.map((name) => [name, over(spreads, (spread) => spread?.[name], mean)]);
  if (means.some(([, value]) => value === undefined)) return undefined;
  return { ...Object.fromEntries(means), min: over(spreads, (spread) => spread?.min, min) };
}

/**
 * @param {Window[]} windows of a start
 * @param {Pick<Case, 'load' | 'clientCores' | 'serverCores'>} measured
 * @returns {boolean} whether the load tool had no more to give while the server had
 */
function isClientBound(windows, { load, clientCores = load.threads, serverCores = 1 }) {
  const [client, server] = [figureIn('clientCores', windows), figureIn('serverCores', windows)];
  if (client === undefined || server === undefined) return false;
  return client >= CLIENT_LIMIT * clientCores && server < SERVER_IDLE * serverCores;
}

/**
 * Undefined where an item lacks the value, or there is none.
 * @type {<T>(items: T[], read: (item: T) => number | undefined,
 *   reduce: (values: number[]) => number | undefined) => number | undefined}
 */
function over(items, read, reduce) {
  const values = items.flatMap((item) => read(item) ?? []);
  return values.length > 0 && values.length === items.length ? reduce(values) : undefined;
}
