/**
 * wrk, with its report as people know it.
 * @import { Window } from '../../types.js'
 * @import { StartedTool } from '../tools.js'
 */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

const US_IN = { us: 1, ms: 1000, s: 1_000_000, m: 60_000_000, h: 3_600_000_000 };
/** wrk's prefixes are binary for bytes and decimal for counts. */
const BYTES_IN = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** @type {StartedTool} */
export const wrk = {
  id: 'wrk',
  label: 'wrk',
  install: 'sudo apt-get install wrk',
  package: 'wrk',
  can: { pipelining: true, threads: true, keepAliveOff: true, method: true, headers: true, body: true },
  wholeSeconds: true,
  coresOf: ({ threads }) => threads,

  version: () =>
    new Promise((resolve) => {
      // It prints its version above the usage and exits with 1.
      execFile('wrk', ['-v'], (_error, stdout) => resolve(/wrk\D*(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1]));
    }),

  async command({ load, request, url, seconds }) {
    const headers = { ...request.headers, ...(load.keepAlive ? {} : { connection: 'close' }) };
    return [
      'wrk',
      ...[
        '-t',
        String(load.threads),
        '-c',
        String(load.connections),
        '-d',
        `${seconds}s`,
        '--latency',
        '-s',
        SCRIPT,
      ],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      url + request.path,
      ...['--', request.method, String(load.pipelining)],
      ...(request.body === undefined ? [] : [request.body]),
    ];
  },

  parse: parseWrk,
};

/**
 * @param {string} stdout
 * @returns {Window}
 * @throws {Error} where it is not wrk's report
 */
export function parseWrk(stdout) {
  const total = /^\s*(\d+) requests in ([\d.]+)(us|ms|s|m|h), ([\d.]+)(B|KB|MB|GB|TB) read$/m.exec(stdout);
  if (!total) throw new Error('no line "N requests in T, B read"');
  const [, count, time, unit, amount, prefix] = total;
  const [, connect = 0, read = 0, write = 0, timeout = 0] =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout) ?? [];
  const [, non2xx = 0] = /Non-2xx or 3xx responses: (\d+)/.exec(stdout) ?? [];
  const requests = Number(count);
  return {
    seconds: milliseconds(time, unit) / 1000,
    requests,
    bytes: Math.round(Number(amount) * BYTES_IN[/** @type {keyof typeof BYTES_IN} */ (prefix)]),
    errors: {
      timeouts: Number(timeout),
      connect: Number(connect),
      read: Number(read),
      write: Number(write),
      non2xx: Number(non2xx),
    },
    ...(requests > 0 && { latencyMs: parseLatency(stdout) }),
  };
}

/** @param {string} stdout */
function parseLatency(stdout) {
  const time = '([\\d.]+)(us|ms|s|m|h)';
  const [, avg, avgUnit, stdev, stdevUnit, max, maxUnit] =
    new RegExp(`Latency\\s+${time}\\s+${time}\\s+${time}`).exec(stdout) ?? [];
  const quarters = [...stdout.matchAll(new RegExp(`^\\s+(50|75|90|99)%\\s+${time}\\s*$`, 'gm'))].map(
    ([, share, value, unit]) => [`p${share}`, milliseconds(value, unit)],
  );
  const others = [...stdout.matchAll(new RegExp(`^Percentile (\\w+) ${time}$`, 'gm'))].map(
    ([, name, value, unit]) => [name, milliseconds(value, unit)],
  );
  return {
    avg: milliseconds(avg, avgUnit),
    stdev: milliseconds(stdev, stdevUnit),
    max: milliseconds(max, maxUnit),
    ...Object.fromEntries([...quarters, ...others]),
  };
}

/**
 * @param {string | undefined} value
 * @param {string | undefined} unit
 */
function milliseconds(value, unit) {
  // Whole nanoseconds, so that 1.20m is 72000 and not 72000.00000000001.
  return Math.round(Number(value) * US_IN[/** @type {keyof typeof US_IN} */ (unit)] * 1000) / 1e6;
}
