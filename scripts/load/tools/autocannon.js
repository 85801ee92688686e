/**
 * autocannon, through its programming interface: no header and no body becomes an argument.
 * @import { LoadedWindow, PerSecond } from '../../types.js'
 * @import { PersistentTool, Target } from '../tools.js'
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sum } from 'd3-array';
import { encodedBody, headersOf, patienceOf } from '../request.js';

const require = createRequire(import.meta.url);

/** @type {PersistentTool} */
export const autocannon = {
  id: 'autocannon',
  label: 'autocannon',
  install: 'npm ci',
  // Not `requests`: it checks once a second whether it is done, so its time for a number of requests is up to
  // a second too long.
  can: ['rate', 'pipelining', 'threads', 'anyPath', 'bodiless', 'anyStatus', 'stream', 'data'],
  wholeSeconds: true,
  stepMs: 1,
  coresOf: ({ threads }) => threads,
  version: async () => JSON.parse(readFileSync(require.resolve('autocannon/package.json'), 'utf8')).version,

  driver: new URL('./autocannon-driver.js', import.meta.url),

  // Its threads cannot be reached, and without keep-alive each request opens a connection.
  canInterleave: ({ threads, keepAlive }) => threads === 1 && keepAlive,

  options(target) {
    const { load, request, url, seconds, requestsFile: file } = target;
    const { connections, pipelining, threads, rate } = load;
    return {
      url: url + request.path,
      method: request.method,
      connections,
      pipelining,
      duration: seconds,
      timeout: patienceOf(target),
      headers: headersOf(target),
      ...(file === undefined ? encodedBody(request) : { requests: [{ file, threads }] }),
      setupClient: require.resolve('./autocannon-client.cjs'),
      ...(threads > 1 && { workers: threads }),
      rate,
      ...(request.stream && { stream: true }),
    };
  },

  read: readAutocannon,
};

/**
 * The result is autocannon's, and what the driver adds.
 * @type {(result: any, target?: { request: Partial<Target['request']> }) => LoadedWindow}
 */
export function readAutocannon(result, { request: { expectedStatus } } = { request: {} }) {
  const { duration, requests, throughput, latency, errors, timeouts, statusCodeStats } = result;
  const { resets = 0, broken = 0, clientSeconds, latencies, unansweredMs } = result;
  const { firstByteMs, longestGapMs, outlasted } = result;
  const isWrong = (/** @type {string} */ status) =>
    expectedStatus === undefined ? !status.startsWith('2') : status !== String(expectedStatus);
  const wrong = Object.entries(statusCodeStats).flatMap(([status, { count }]) =>
    isWrong(status) ? [[status, count]] : [],
  );
  const non2xx = sum(wrong, ([, count]) => count);
  /** @type {LoadedWindow} */
  const window = {
    seconds: duration,
    requests: requests.total,
    bytes: throughput.total,
    // Its `errors` are those of connections, timeouts among them.
    errors: { timeouts, connect: errors - timeouts - broken, non2xx, ...(resets > 0 && { resets }) },
    ...(wrong.length > 0 && { wrongStatuses: Object.fromEntries(wrong) }),
    ...(clientSeconds !== undefined && { clientSeconds }),
    ...(unansweredMs && { unansweredMs }),
    ...(firstByteMs && { firstByteMs }),
    ...(longestGapMs && { longestGapMs }),
    ...(outlasted && { outlasted }),
  };
  if (requests.total === 0) return window;
  const { average: avg, stddev: stdev, min, max, p2_5, p50, p75, p90, p97_5, p99, p99_9 } = latency ?? {};
  return {
    ...window,
    ...(latencies && { latencies }),
    ...(latency && { latencyMs: { avg, stdev, min, p2_5, p50, p75, p90, p97_5, p99, p99_9, max } }),
    // All of them end at once, with the window.
    ...(!outlasted && { requestsPerSecond: spread(requests), bytesPerSecond: spread(throughput) }),
  };
}

/** Throws an Error where one is missing. @type {(histogram: any) => PerSecond} */
function spread({ p1, p2_5, p50, p97_5, average: avg, stddev: stdev, min, max }) {
  const figures = { p1, p2_5, p50, p97_5, avg, stdev, min, max };
  if (Object.values(figures).includes(undefined)) throw new Error('it lacks figures of its seconds');
  return figures;
}
