/**
 * wrk, which prints what it measured by a script.
 * @import { LatencyMs, LoadedWindow } from '../../types.js'
 * @import { StartedTool } from '../tools.js'
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

/** In hundredths of a percent. @type {Record<number, keyof LatencyMs>} */
const NAMED = {
  250: 'p2_5',
  5000: 'p50',
  7500: 'p75',
  9000: 'p90',
  9500: 'p95',
  9750: 'p97_5',
  9900: 'p99',
  9990: 'p99_9',
};

/** @type {StartedTool} */
export const wrk = {
  id: 'wrk',
  label: 'wrk',
  install: 'sudo apt-get install wrk',
  package: 'wrk',
  can: {
    pipelining: true,
    threads: true,
    keepAliveOff: true,
    https: true,
    anyPath: true,
    method: true,
    headers: true,
    body: true,
  },
  wholeSeconds: true,
  coresOf: ({ threads }) => threads,

  // It exits with 1 all the same.
  version: '-v',

  async command({ load, request, url, seconds, scratch }) {
    const headers = { ...request.headers, ...(load.keepAlive ? {} : { connection: 'close' }) };
    // In files, since an argument holds no NUL, and everybody on the machine can read it.
    const files = { headers: join(scratch, 'headers'), body: join(scratch, 'body') };
    await writeFile(
      files.headers,
      Object.entries(headers)
        .map(([name, value]) => `${name}\n${value}\n`)
        .join(''),
    );
    if (request.body !== undefined) await writeFile(files.body, request.body);
    const { threads, connections, pipelining } = load;
    const args = ['-t', String(threads), '-c', String(connections), '-d', `${seconds}s`, '-s', SCRIPT];
    const scriptArgs = [request.method, String(pipelining), files.headers];
    if (request.body !== undefined) scriptArgs.push(files.body);
    return ['wrk', ...args, url + request.path, '--', ...scriptArgs];
  },

  parse: parseWrk,
};

/** @param {string} stdout @returns {LoadedWindow} @throws {Error} where the script's line is missing */
export function parseWrk(stdout) {
  const line = stdout.split('\n').findLast((text) => text.startsWith('{'));
  if (line === undefined) throw new Error('no line of JSON');
  const { durationUs, requests, bytes, errors, latencyUs } = JSON.parse(line);
  const { read: resets, ...others } = errors;
  return {
    seconds: durationUs / 1e6,
    requests,
    bytes,
    errors: { ...others, ...(resets > 0 && { resets }) },
    // wrk times pipelined requests only in batches that were answered whole.
    ...(latencyUs.max > 0 && readLatency(latencyUs, requests)),
  };
}

/**
 * The requests between two ranks are counted at the higher.
 * @param {{ min: number, max: number, avg: number, stdev: number, ranks: [number, number][] }} latencyUs
 * @param {number} requests
 * @returns {Pick<LoadedWindow, 'latencyMs' | 'latencies'>}
 */
function readLatency({ min, max, avg, stdev, ranks }, requests) {
  const upTo = (/** @type {number} */ rank) => Math.ceil((rank * requests) / 10_000);
  const named = ranks.flatMap(([rank, us]) => (NAMED[rank] ? [[NAMED[rank], us / 1000]] : []));
  return {
    latencyMs: {
      min: min / 1000,
      max: max / 1000,
      avg: avg / 1000,
      stdev: stdev / 1000,
      ...Object.fromEntries(named),
    },
    latencies: {
      us: ranks.map(([, us]) => us),
      counts: ranks.map(([rank], place) => upTo(rank) - upTo(ranks[place - 1]?.[0] ?? 0)),
    },
  };
}
