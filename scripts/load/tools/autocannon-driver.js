/**
 * autocannon in a process that outlives its windows, so that loading its code costs no window anything. Its parent sends it what to
 * load, one server or several alternately; it ends when the channel to its parent does.
 * @import { Client } from './autocannon-interleave.js'
 * @import { Latencies } from '../../types.js'
 */

import { createRequire } from 'node:module';
import { mean } from 'd3-array';
import { Int32Histogram } from 'hdr-histogram-js';
import { weave } from './autocannon-interleave.js';
import { countLost } from './autocannon-lost.js';

const requireFile = createRequire(import.meta.url);
const autocannon = requireFile('autocannon');

/** Interleaved loads are stopped when their time is up. */
const FOREVER_SECONDS = 86_400;
const SAMPLE_MS = 50;

/**
 * autocannon's options.
 * @typedef {object} Options
 * @property {number} connections
 * @property {number} pipelining
 * @property {number} duration in seconds
 * @property {number} [workers] threads
 * @property {number} [rate] requests a second over all connections
 * @property {string} [setupClient] a file
 */

process.on('message', async (/** @type {Options[]} */ loads) => {
  try {
    const results = loads.length > 1 ? await interleaved(loads) : await Promise.all(loads.map(alone));
    process.send?.({ results });
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).message });
  }
});
process.on('disconnect', () => process.exit());
// Without a listener this signal opens the debugger.
process.on('SIGUSR1', () => {});

/** @param {Options[]} loads */
async function interleaved(loads) {
  const histograms = loads.map(newHistogram);
  const lost = loads.map(countLost);
  /** @type {Promise<any>[]} */
  const running = [];
  const strands = await weave(
    loads.map(({ setupClient, duration, ...options }, place) => ({
      connections: options.connections,
      pipelining: options.pipelining,
      seconds: duration,
      start(hold) {
        const instance = autocannon({
          ...options,
          duration: FOREVER_SECONDS,
          sampleInt: SAMPLE_MS,
          setupClient: allOf(setUpOf(setupClient), lost[place]?.watch, hold),
          histograms: { latencies: histograms[place] },
        });
        running.push(Promise.resolve(instance));
        return instance;
      },
    })),
  );
  const results = await Promise.all(running);
  return strands.map(({ seconds, clientSeconds, perSecond, endedAt }, place) => {
    const { requests, throughput, ...result } = results[place];
    const samples =
      perSecond.length > 0
        ? perSecond
        : [{ requests: requests.total / seconds, bytes: throughput.total / seconds }];
    return {
      ...result,
      ...lost[place]?.count(endedAt),
      duration: seconds,
      clientSeconds,
      latencies: latenciesOf(/** @type {Int32Histogram} */ (histograms[place]), 1000),
      requests: { total: requests.total, ...spreadOf(samples.map((sample) => sample.requests)) },
      throughput: { total: throughput.total, ...spreadOf(samples.map((sample) => sample.bytes)) },
    };
  });
}

/** @param {Options} options */
async function alone({ rate, ...options }) {
  if (rate !== undefined) return openLoop(options, rate);
  // Threads have histograms of their own, of which autocannon reports only percentiles.
  if (options.workers !== undefined) return autocannon(options);
  const histogram = newHistogram();
  const { result, losses } = await watched(options, { histograms: { latencies: histogram } });
  return { ...result, ...losses, latencies: latenciesOf(histogram, 1000) };
}

/** @param {Omit<Options, 'rate'>} options @param {number} rate */
async function openLoop(options, rate) {
  const histogram = newHistogram();
  const record = (/** @type {number} */ ms) => histogram.recordValue(Math.max(1, Math.round(ms * 1000)));
  const hold = pace({ connections: options.connections, rate, record });
  const { result, losses } = await watched(options, {}, hold);
  const ms = (/** @type {number} */ percentile) => histogram.getValueAtPercentile(percentile) / 1000;
  const latency = {
    average: histogram.mean / 1000,
    stddev: histogram.stdDeviation / 1000,
    min: histogram.minNonZeroValue / 1000,
    max: histogram.maxValue / 1000,
    p2_5: ms(2.5),
    p50: ms(50),
    p75: ms(75),
    p90: ms(90),
    p97_5: ms(97.5),
    p99: ms(99),
    p99_9: ms(99.9),
  };
  return { ...result, ...losses, latency, latencies: latenciesOf(histogram, 1) };
}

/**
 * @param {Omit<Options, 'rate'>} options
 * @param {object} more options
 * @param {(client: Client) => void} [hold]
 */
async function watched(options, more, hold) {
  const lost = countLost();
  const setupClient = allOf(setUpOf(options.setupClient), lost.watch, hold);
  const result = await autocannon({ ...options, ...more, setupClient });
  return { result, losses: lost.count(performance.now()) };
}

/** @param {string | undefined} file */
function setUpOf(file) {
  return file === undefined ? undefined : requireFile(file);
}

/** @param {(((client: any) => void) | undefined)[]} setUps @returns {(client: any) => void} */
function allOf(...setUps) {
  return (client) => {
    for (const setUp of setUps) setUp?.(client);
  };
}

/**
 * Open loop: each connection has instants at which its requests are due, evenly spread. autocannon's own rate sends a second's
 * requests in one burst, and corrects for coordinated omission in steps of 1 ms whatever the rate (9.0.0, lib/run.js).
 *
 * A request that had to wait for the previous answer of its connection includes this wait in its latency (Gil Tene, "How NOT to
 * Measure Latency"; wrk2 does the same). The delay of a timer does not count.
 * @param {{ connections: number, rate: number, record: (ms: number) => void }} load rate: requests a second over all connections
 * @returns {(client: Client) => void} autocannon's `setupClient`
 */
function pace({ connections, rate, record }) {
  const intervalMs = (1000 * connections) / rate;
  const startedAt = performance.now();
  let clients = 0;
  return (client) => {
    const send = client._doRequest;
    let dueAt = startedAt + (intervalMs * clients++) / connections;
    let waitedMs = 0;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const sendAfter = (/** @type {number} */ waited) => {
      waitedMs = waited;
      dueAt += intervalMs;
      send.call(client);
    };
    client._doRequest = () => {
      clearTimeout(timer);
      const aheadMs = dueAt - performance.now();
      if (aheadMs > 0) timer = setTimeout(sendAfter, aheadMs, 0);
      else sendAfter(-aheadMs);
    };
    client.on('response', (_status, _bytes, ms) => record(ms + waitedMs));
    client.on('done', () => clearTimeout(timer));
  };
}

/** @param {number[]} values at least one @returns the figures that autocannon reports of its samples */
function spreadOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (/** @type {number} */ share) =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  const average = mean(values) ?? 0;
  const variance = mean(values, (value) => (value - average) ** 2) ?? 0;
  return {
    min: rank(0),
    p1: rank(0.01),
    p2_5: rank(0.025),
    p50: rank(0.5),
    p97_5: rank(0.975),
    average,
    stddev: Math.sqrt(variance),
  };
}

/** @returns {Int32Histogram} */
function newHistogram() {
  const histogram = new Int32Histogram(1, 2, 3);
  histogram.autoResize = true;
  return histogram;
}

/** @param {Int32Histogram} histogram @param {number} unitUs @returns {Latencies} */
function latenciesOf(histogram, unitUs) {
  /** @type {Latencies} */
  const latencies = { us: [], counts: [] };
  for (let index = 0; index <= histogram.countsArrayIndex(histogram.maxValue); index++) {
    latencies.us.push(histogram.valueFromIndex(index) * unitUs);
    latencies.counts.push(histogram.getCountAtIndex(index));
  }
  return latencies;
}
