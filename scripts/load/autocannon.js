/**
 * autocannon, through its own command line and its JSON.
 * @import { PerSecond, Window } from '../types.js'
 * @import { LoadTool } from './load.js'
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @type {LoadTool} */
export const autocannon = {
  async version() {
    return JSON.parse(readFileSync(require.resolve('autocannon/package.json'), 'utf8')).version;
  },

  async command({ load, request, url, seconds }) {
    const headers = { ...request.headers, ...(load.keepAlive ? {} : { connection: 'close' }) };
    return [
      process.execPath,
      require.resolve('autocannon'),
      '--json',
      ...[
        '-c',
        String(load.connections),
        '-d',
        String(seconds),
        '-p',
        String(load.pipelining),
        '-m',
        request.method,
      ],
      ...(load.threads > 1 ? ['-w', String(load.threads)] : []),
      ...(load.rate === undefined ? [] : ['-R', String(load.rate)]),
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
      ...(request.body === undefined ? [] : ['-b', request.body]),
      url + request.path,
    ];
  },

  parse: parseAutocannon,
};

/**
 * @param {string} stdout
 * @returns {Window}
 * @throws {Error} where it is not autocannon's JSON
 */
export function parseAutocannon(stdout) {
  const { duration, requests, throughput, latency, errors, timeouts, non2xx } = JSON.parse(stdout);
  /** @type {Window} */
  const window = {
    seconds: duration,
    requests: requests.total,
    bytes: throughput.total,
    // Its `errors` are those of connections, timeouts among them.
    errors: { timeouts, connect: errors - timeouts, non2xx },
  };
  if (requests.total === 0) return window;
  const { average: avg, stddev: stdev, min, max, p2_5, p50, p75, p90, p97_5, p99, p99_9 } = latency;
  return {
    ...window,
    latencyMs: { avg, stdev, min, p2_5, p50, p75, p90, p97_5, p99, p99_9, max },
    requestsPerSecond: spread(requests),
    bytesPerSecond: spread(throughput),
  };
}

/**
 * @param {any} histogram
 * @returns {PerSecond}
 */
function spread({ p1, p2_5, p50, p97_5, average: avg, stddev: stdev, min }) {
  return { p1, p2_5, p50, p97_5, avg, stdev, min };
}
