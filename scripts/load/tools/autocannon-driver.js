/**
 * autocannon in a process that outlives its windows, so that loading its code costs no window anything. Its
 * parent sends it what to load, one server or several alternately; it ends with the channel to its parent.
 * @import { Latencies } from '../../types.js'
 */

import { createRequire } from 'node:module';
import { Int32Histogram } from 'hdr-histogram-js';
import { makeGate, pace } from './autocannon-gate.js';
import { interleave } from './autocannon-interleave.js';
import { countLost } from './autocannon-lost.js';
import { makeStreamGate } from './autocannon-stream.js';

const requireFile = createRequire(import.meta.url);
const autocannon = requireFile('autocannon');
const { requestsIn, sendAll } = requireFile('./autocannon-requests.cjs');

/** Loads are stopped when their time is up and the last answers have arrived. */
const FOREVER_SECONDS = 86_400;
const SAMPLE_MS = 10;

/**
 * autocannon's options: duration in seconds, workers are threads, rate over all connections; and whether
 * answers are streams.
 * @typedef {{ connections: number, pipelining: number, duration: number, workers?: number, rate?: number,
 *   stream?: true, setupClient: string, requests?: { file: string }[] }} Options
 */

process.on('message', async (/** @type {Options[]} */ loads) => {
  try {
    // Threads have no gate, and have separate histograms, of which autocannon reports only percentiles.
    const hasThreads = loads[0]?.workers !== undefined;
    const results = await (hasThreads ? Promise.all(loads.map((load) => autocannon(load))) : gated(loads));
    process.send?.({ results });
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).message });
  }
});
process.on('disconnect', () => process.exit());
// Without a listener this signal opens the debugger.
process.on('SIGUSR1', () => {});

/** @param {Options[]} loads */
async function gated(loads) {
  const counters = loads.map((load) => ({
    ...(load.stream ? countStreams(load, loads.length === 1) : countLatencies(load)),
    lost: countLost(),
  }));
  const sliced = await interleave(
    counters.map(({ gate, counting, lost }, index) => {
      const { duration, rate, ...options } = /** @type {Options} */ (loads[index]);
      const [varying] = options.requests ?? [];
      // Each window begins with the first.
      const vary = varying ? sendAll(requestsIn(varying.file)) : () => {};
      const start = (/** @type {(client: any) => void} */ hold) =>
        autocannon({
          ...options,
          duration: FOREVER_SECONDS,
          sampleInt: SAMPLE_MS,
          setupClient: setUp(options.setupClient, vary, lost.watch, hold),
          ...counting,
        });
      return { gate, seconds: duration, isPaced: rate !== undefined, start };
    }),
  );
  return sliced.map(({ endedAt, ...result }, index) => {
    const { readLatencies, lost } = /** @type {(typeof counters)[number]} */ (counters[index]);
    return { ...result, ...lost.count(endedAt), ...readLatencies() };
  });
}

/**
 * How the requests of a load are held back, and its latencies counted: by autocannon, which ignores how late
 * a request is sent, so at a rate by ourselves.
 * @param {Options} load
 */
function countLatencies({ connections, pipelining, rate }) {
  const histogram = newHistogram();
  if (rate === undefined)
    return {
      gate: makeGate(connections * pipelining, pipelining),
      counting: { histograms: { latencies: histogram } },
      readLatencies: () => ({ latencies: latenciesOf(histogram, 1000) }),
    };
  return {
    gate: pace({ connections, rate, record: recordIn(histogram) }),
    counting: {},
    readLatencies: () => pacedLatency(histogram),
  };
}

/**
 * @param {Options} load
 * @param {boolean} isAlone
 */
function countStreams({ connections }, isAlone) {
  const [latency, firstByte, longestGap] = [newHistogram(), newHistogram(), newHistogram()];
  const record = {
    latency: recordIn(latency),
    firstByte: recordIn(firstByte),
    longestGap: recordIn(longestGap),
  };
  const gate = makeStreamGate({ connections, isAlone, record });
  return {
    gate,
    counting: {},
    readLatencies: () => ({
      latency: undefined,
      ...(latency.totalCount > 0 && pacedLatency(latency)),
      firstByteMs: percentilesOf(firstByte),
      longestGapMs: percentilesOf(longestGap),
      outlasted: gate.isOutlasted(),
    }),
  };
}

/** The histogram is of microseconds. @type {(histogram: Int32Histogram) => (ms: number) => void} */
function recordIn(histogram) {
  return (ms) => histogram.recordValue(Math.max(1, Math.round(ms * 1000)));
}

/** Of autocannon's summary what every latency does not say. @param {Int32Histogram} histogram of µs */
function pacedLatency(histogram) {
  const [average, min, max] = [histogram.mean, histogram.minNonZeroValue, histogram.maxValue];
  const latency = { average: average / 1000, min: min / 1000, max: max / 1000 };
  return { latency, latencies: latenciesOf(histogram, 1) };
}

/**
 * In milliseconds; undefined where the histogram, of microseconds, is empty.
 * @type {(histogram: Int32Histogram) => { p50: number, p99: number } | undefined}
 */
function percentilesOf(histogram) {
  const at = (/** @type {number} */ rank) => histogram.getValueAtPercentile(rank) / 1000;
  return histogram.totalCount > 0 ? { p50: at(50), p99: at(99) } : undefined;
}

/**
 * Does all of it; the file decides last whether a request is sent at all.
 * @type {(file: string, ...others: ((client: any) => void)[]) => (client: any) => void}
 */
function setUp(file, ...others) {
  return (client) => {
    for (const each of [...others, requireFile(file)]) each(client);
  };
}

function newHistogram() {
  const histogram = new Int32Histogram(1, 2, 3);
  histogram.autoResize = true;
  return histogram;
}

/** @type {(histogram: Int32Histogram, unitUs: number) => Latencies} */
function latenciesOf(histogram, unitUs) {
  /** @type {Latencies} */
  const latencies = { us: [], counts: [] };
  for (let index = 0; index <= histogram.countsArrayIndex(histogram.maxValue); index++) {
    latencies.us.push(histogram.valueFromIndex(index) * unitUs);
    latencies.counts.push(histogram.getCountAtIndex(index));
  }
  return latencies;
}
