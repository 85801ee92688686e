/**
 * oha: a closed loop, or a rate whose latency counts from when each request was due.
 * @import { LatencyMs, LoadedWindow } from '../../types.js'
 * @import { StartedTool } from '../tools.js'
 */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What it has in flight when its time is over is no error. */
const CUT_OFF = 'aborted due to deadline';
/** As it names them. */
const PERCENTILES = /** @type {const} */ ({
  ...{ p50: 'p50', p75: 'p75', p90: 'p90', p95: 'p95', p99: 'p99' },
  'p99.9': 'p99_9',
});

/** @type {StartedTool} */
export const oha = {
  id: 'oha',
  label: 'oha',
  install: 'cargo install oha --locked',
  can: {
    ...{ rate: true, threads: true, keepAliveOff: true, https: true },
    ...{ anyPath: true, method: true, headers: true, body: true },
  },
  wholeSeconds: false,
  coresOf: ({ threads }) => threads,

  version: () =>
    new Promise((resolve) => {
      execFile('oha', ['--version'], { env: { PATH: process.env.PATH }, timeout: 10_000 }, (_error, stdout) =>
        resolve(/^oha (\d+\.\d+\.\d+)/.exec(stdout)?.[1]),
      );
    }),

  async command({ load, request, url, seconds, scratch }) {
    const file = join(scratch, 'body');
    if (request.body !== undefined) await writeFile(file, request.body);
    return [
      ...['oha', '--no-tui', '--no-color', '--output-format', 'json', '--redirect', '0', '--insecure'],
      ...['-z', `${Math.round(seconds * 1000)}ms`, '-c', String(load.connections)],
      ...['--worker-threads', String(load.threads)],
      ...(load.rate === undefined ? [] : ['-q', String(load.rate), '--latency-correction']),
      ...(load.keepAlive ? [] : ['--disable-keepalive']),
      // It asks for compressed answers otherwise.
      '--disable-compression',
      ...['-m', request.method],
      ...Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(request.body === undefined ? [] : ['-D', file]),
      ...['--', url + request.path],
    ];
  },

  parse: parseOha,
};

/**
 * @param {string} stdout
 * @returns {LoadedWindow} bytes: of the bodies alone
 * @throws {Error} where it is not its report
 */
export function parseOha(stdout) {
  const { summary, latencyPercentiles, statusCodeDistribution, errorDistribution } = JSON.parse(stdout);
  const answers = Object.entries(/** @type {Record<string, number>} */ (statusCodeDistribution));
  const requests = total(answers);
  return {
    ...{ seconds: summary.total, requests, bytes: summary.totalData },
    errors: {
      non2xx: total(answers.filter(([status]) => !status.startsWith('2'))),
      ...errorsOf(errorDistribution),
    },
    ...(requests > 0 && { latencyMs: latencyOf(summary, latencyPercentiles) }),
  };
}

/** @param {Record<string, number>} distribution by its own words */
function errorsOf(distribution) {
  const failed = Object.entries(distribution).filter(([words]) => words !== CUT_OFF);
  const of = (/** @type {(words: string) => boolean} */ isMeant) =>
    total(failed.filter(([words]) => isMeant(words)));
  const isTimeout = (/** @type {string} */ words) => words === 'timeout';
  const isConnect = (/** @type {string} */ words) =>
    /refused|assign requested address|open files/.test(words);
  return {
    timeouts: of(isTimeout),
    connect: of(isConnect),
    read: of((words) => !isTimeout(words) && !isConnect(words)),
  };
}

/**
 * @param {{ average: number, fastest: number, slowest: number }} summary in seconds
 * @param {Record<string, number>} percentiles in seconds
 * @returns {LatencyMs}
 */
function latencyOf({ average, fastest, slowest }, percentiles) {
  return {
    ...{ avg: 1000 * average, min: 1000 * fastest, max: 1000 * slowest },
    ...Object.fromEntries(
      Object.entries(PERCENTILES).flatMap(([theirs, ours]) =>
        typeof percentiles[theirs] === 'number' ? [[ours, 1000 * percentiles[theirs]]] : [],
      ),
    ),
  };
}

/** @param {[string, number][]} counts */
function total(counts) {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}
