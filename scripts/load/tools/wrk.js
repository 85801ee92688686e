/**
 * wrk, which prints what it measured by a script.
 * @import { LoadedWindow } from '../../types.js'

 * @import { StartedTool, Target } from '../tools.js'
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patienceOf, requestBytes } from '../request.js';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

/** @type {StartedTool} */
export const wrk = {
  id: 'wrk',
  label: 'wrk',
  install: 'sudo apt-get install wrk',
  package: 'wrk',
  can: ['pipelining', 'threads', 'anyPath', 'anyStatus', 'data'],
  wholeSeconds: true,
  coresOf: ({ threads }) => threads,
  canInterleave: ({ keepAlive }) => keepAlive,
  // It exits with 1 all the same.
  version: '-v',

  async command(target) {
    const { load, request, url, seconds, slices, scratch, bytes = requestBytes(target) } = target;
    // In a file, since an argument holds no NUL, and everybody on the machine can read it.
    const file = join(scratch, 'requests');
    await writeFile(file, bytes);
    const { threads, connections, pipelining } = load;
    const lasts = slices ? Math.ceil(slices.totalSeconds) + 1 : seconds;
    const args = ['-t', String(threads), '-c', String(connections), '-d', `${lasts}s`, '-s', SCRIPT];
    const { startMs, lengthMs, cycleMs, openMs, firstMs, secondMs } = slices ?? {};
    // As wrk.lua reads it.
    const when = slices ? [startMs, lengthMs, cycleMs, openMs, firstMs, secondMs].join(' ') : 'always';
    args.push('--timeout', `${patienceOf({ seconds: lasts })}s`, url, '--', file, String(threads));
    args.push(String(pipelining), String(request.expectedStatus ?? '2xx'), when);
    return ['wrk', ...args];
  },

  parse: parseWrk,
};

/**
 * @param {string} stdout
 * @param {Partial<Pick<Target, 'closes' | 'load'>>} [run]
 * @returns {LoadedWindow}
 * @throws {Error} where the script's line is missing
 */
export function parseWrk(stdout, { closes, load } = {}) {
  const line = stdout.split('\n').findLast((text) => text.startsWith('{'));
  if (line === undefined) throw new Error('no line of JSON');
  const { durationUs, clientMs, requests, bytes, errors, latencyUs } = JSON.parse(line);
  const { read, ...others } = errors;
  // wrk counts the end of an answer without a length as an error in reading, too.
  const resets = closes === 'undelimited' ? Math.max(0, read - requests) : read;
  return {
    seconds: durationUs / 1e6,
    requests,
    bytes,
    errors: { ...others, ...(resets > 0 && { resets }) },
    clientSeconds: clientMs / 1000,
    // wrk times pipelined requests only in batches that were answered whole.
    ...(latencyUs.max > 0 && readLatency(latencyUs, { requests, isPipelined: Number(load?.pipelining) > 1 })),
  };
}

/**
 * The requests between two ranks are counted at the higher; ranks are in hundredths of a percent. wrk
 * corrects latencies for requests that it assumes it missed: to a batch of four that takes 500 ms it adds
 * waits of 375 and 250 ms, which changes all but the ends.
 * @param {{ min: number, max: number, avg: number, stdev: number, ranks: [number, number][] }} latencyUs
 * @param {{ requests: number, isPipelined: boolean }} counted
 */
function readLatency({ min, max, avg, stdev, ranks }, { requests, isPipelined }) {
  if (isPipelined) return { latencyMs: { min: min / 1000, max: max / 1000 } };
  const upTo = (/** @type {number} */ rank) => Math.ceil((rank * requests) / 10_000);
  return {
    latencyMs: { min: min / 1000, max: max / 1000, avg: avg / 1000, stdev: stdev / 1000 },
    latencies: {
      us: ranks.map(([, us]) => us),
      counts: ranks.map(([rank], index) => upTo(rank) - upTo(ranks[index - 1]?.[0] ?? 0)),
    },
  };
}
