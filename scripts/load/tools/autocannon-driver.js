/**
 * autocannon in a process of its own that outlives its windows: what it costs to load is paid once, not by every window.
 * It is told over the channel to its parent what to load, one server or several in turn, and ends with it.
 * @import { Client } from './autocannon-interleave.js'
 */

import { createRequire } from 'node:module';
import { Int32Histogram } from 'hdr-histogram-js';
import { countLost } from './autocannon-lost.js';
import { weave } from './autocannon-interleave.js';

const load = createRequire(import.meta.url);
const autocannon = load('autocannon');

/** Each window's own time ends it. */
const FOREVER_SECONDS = 86_400;
const SAMPLE_MS = 50;

/**
 * rate: requests a second over all connections; setupClient: a file
 * @typedef {{ connections: number, pipelining: number, duration: number, workers?: number, rate?: number, setupClient?: string }} Options
 */

process.on('message', async (/** @type {Options[]} */ loads) => {
  try {
    const results = loads.length > 1 ? await inTurn(loads) : await Promise.all(loads.map(alone));
    process.send?.({ results });
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).message });
  }
});
process.on('disconnect', () => process.exit());
// Without a listener this signal opens the debugger.
process.on('SIGUSR1', () => {});

/** @param {Options} options */
function alone({ rate, ...options }) {
  return rate === undefined ? closed(options) : open(options, rate);
}

/** @param {Options[]} loads */
async function inTurn(loads) {
  const found = loads.map(() => histogram());
  const lost = loads.map(countLost);
  /** @type {Promise<any>[]} */
  const results = [];
  const strands = await weave(
    loads.map(({ setupClient: file, duration, ...options }, place) => ({
      ...{ connections: options.connections, pipelining: options.pipelining, seconds: duration },
      start(hold) {
        const setUp = file === undefined ? () => {} : load(file);
        const setupClient = (/** @type {any} */ client) => {
          setUp(client);
          lost[place]?.watch(client);
          hold(client);
        };
        const times = { duration: FOREVER_SECONDS, sampleInt: SAMPLE_MS };
        const running = autocannon({
          ...options,
          ...{ ...times, setupClient, histograms: { latencies: found[place] } },
        });
        results.push(running.then((/** @type {any} */ result) => result));
        return running;
      },
    })),
  );
  return (await Promise.all(results)).map((result, place) => {
    const { seconds, clientSeconds, perSecond, endedAt } = /** @type {typeof strands[number]} */ (
      strands[place]
    );
    const latencies = recorded(/** @type {Int32Histogram} */ (found[place]), 1000);
    const spread = (/** @type {'requests' | 'bytes'} */ of, /** @type {number} */ total) =>
      spreadOf(perSecond.length > 0 ? perSecond.map((each) => each[of]) : [total / seconds]);
    const { requests, throughput } = result;
    return {
      ...{ ...result, duration: seconds, clientSeconds, latencies },
      ...lost[place]?.count(endedAt),
      requests: { total: requests.total, ...spread('requests', requests.total) },
      throughput: { total: throughput.total, ...spread('bytes', throughput.total) },
    };
  });
}

/**
 * @param {number[]} values at least one
 * @returns what autocannon tells of its samples
 */
function spreadOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.ceil(share * sorted.length) - 1] ?? sorted[0] ?? 0;
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length;
  const ends = { min: at(0), p1: at(0.01), p2_5: at(0.025), p50: at(0.5), p97_5: at(0.975) };
  return { ...ends, average, stddev: Math.sqrt(variance) };
}

/** @param {Omit<Options, 'rate'>} options */
async function closed(options) {
  // Its workers have histograms of their own, of which it tells only the percentiles.
  if (options.workers !== undefined) return autocannon(options);
  const latencies = histogram();
  const lost = countLost();
  const setUp = options.setupClient === undefined ? () => {} : load(options.setupClient);
  const setupClient = (/** @type {any} */ client) => {
    setUp(client);
    lost.watch(client);
  };
  const result = await autocannon({ ...options, setupClient, histograms: { latencies } });
  const counted = lost.count(performance.now());
  return { ...result, ...counted, latencies: recorded(latencies, 1000) };
}

/**
 * @param {Omit<Options, 'rate'>} options
 * @param {number} rate
 */
async function open(options, rate) {
  const latencies = histogram();
  const record = (/** @type {number} */ ms) => latencies.recordValue(Math.max(1, Math.round(ms * 1000)));
  const lost = countLost();
  const setUp = options.setupClient === undefined ? () => {} : load(options.setupClient);
  const hold = pace({ connections: options.connections, rate, record });
  const setupClient = (/** @type {any} */ client) => {
    setUp(client);
    lost.watch(client);
    hold(client);
  };
  const result = await autocannon({ ...options, setupClient });
  const counted = lost.count(performance.now());
  const at = (/** @type {number} */ percentile) => latencies.getValueAtPercentile(percentile) / 1000;
  const latency = {
    ...{ average: latencies.mean / 1000, stddev: latencies.stdDeviation / 1000 },
    ...{ min: latencies.minNonZeroValue / 1000, max: latencies.maxValue / 1000 },
    ...{
      p2_5: at(2.5),
      p50: at(50),
      p75: at(75),
      p90: at(90),
      p97_5: at(97.5),
      p99: at(99),
      p99_9: at(99.9),
    },
  };
  return { ...result, ...counted, latency, latencies: recorded(latencies, 1) };
}

/**
 * Open load: each connection has instants at which its requests are due, evenly spread. autocannon's own rate sends a second's
 * requests in one burst, and corrects for coordinated omission in steps of 1 ms whatever the rate (9.0.0, lib/run.js).
 *
 * A request that its connection could not send when it was due, for want of the answer before, has waited since: that is part of
 * its latency (Gil Tene, "How NOT to Measure Latency"; wrk2 does the same). What a timer is late is not.
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

/** @returns {Int32Histogram} */
function histogram() {
  const made = new Int32Histogram(1, 2, 3);
  made.autoResize = true;
  return made;
}

/**
 * @param {Int32Histogram} found
 * @param {number} unitUs
 * @returns {import('../../types.js').Latencies}
 */
function recorded(found, unitUs) {
  /** @type {import('../../types.js').Latencies} */
  const latencies = { us: [], counts: [] };
  for (let index = 0; index <= found.countsArrayIndex(found.maxValue); index++) {
    latencies.us.push(found.valueFromIndex(index) * unitUs);
    latencies.counts.push(found.getCountAtIndex(index));
  }
  return latencies;
}
