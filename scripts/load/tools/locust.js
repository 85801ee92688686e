/**
 * Locust: virtual users in one process, in several of this machine (`processes`), or in workers that join from anywhere.
 * @import { LatencyMs, LoadedWindow } from '../../types.js'
 * @import { StartedTool } from '../tools.js'
 */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { sum } from 'd3-array';

const OWN = new URL('./locust-script.py', import.meta.url);
/** Its time includes the start of its users; it reports the time from the first request to the last. */
const START_SECONDS = 1;
const WAIT_SECONDS = 60;
/** @type {[keyof LatencyMs, number][]} */
const PERCENTILES = [
  ['p50', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p97_5', 0.975],
  ['p99', 0.99],
  ['p99_9', 0.999],
];
/** How the engine's script names what has no answer. */
const LOST = { connect: '(connect)', resets: '(resets)', unanswered: '(unanswered)' };
/** Where workers expect their master. */
const PORT = 5557;

/** @type {StartedTool} */
export const locust = {
  id: 'locust',
  label: 'Locust',
  install: 'pip install locust',
  can: {
    keepAliveOff: true,
    https: true,
    method: true,
    headers: true,
    body: true,
    script: true,
    processes: true,
    workers: true,
  },
  wholeSeconds: true,
  stepMs: 1,
  coresOf: ({ processes = 1 }) => processes,
  graceSeconds: ({ workers }) => (workers === undefined ? 15 : WAIT_SECONDS + 15),

  version: '--version',
  scriptCheck: {
    args: (script) => ['-f', script, '--list'],
    messageIn: (stderr) => stderr.trim().split('\n').at(-1) || undefined,
  },

  async command({ load, request, url, seconds, scratch }) {
    const { script, connections, processes = 1, workers, host } = load;
    const { protocol, hostname, port } = new URL(url);
    const target = `${protocol}//${host ?? hostname}:${port}`;
    const users = String(connections);
    const file = script === undefined ? await ownScript(load.keepAlive, request, scratch) : resolve(script);
    const args = ['--headless', '--json', '--only-summary', '--exit-code-on-error', '0', '-f', file];
    args.push('-u', users, '-r', users, '-t', `${seconds + START_SECONDS}s`, '--host', target);
    if (processes > 1) args.push(...(await localWorkers(processes)));
    if (workers !== undefined) args.push(...remoteWorkers(workers));
    return ['locust', ...args];
  },

  parse: parseLocust,
};

/**
 * @param {boolean} keepAlive
 * @param {Parameters<StartedTool['command']>[0]['request']} request
 * @param {string} scratch
 * @returns {Promise<string>} the file
 */
async function ownScript(keepAlive, { method, path, headers, body }, scratch) {
  const asked = JSON.stringify({
    method,
    path,
    // JSON holds no bytes.
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    headers: { ...headers, ...(keepAlive ? {} : { connection: 'close' }) },
  });
  const file = join(scratch, 'locustfile.py');
  // A string of JSON is one of Python, too.
  await writeFile(
    file,
    readFileSync(OWN, 'utf8').replace('"{}"', () => JSON.stringify(asked)),
  );
  return file;
}

/**
 * @param {number} processes
 * @returns {Promise<string[]>} with a free port for the master, since several runs may share a machine
 */
async function localWorkers(processes) {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  const master = ['--master-bind-host', '127.0.0.1', '--master-bind-port', String(port)];
  return ['--processes', String(processes), ...master, '--master-port', String(port)];
}

/** @param {number} workers */
function remoteWorkers(workers) {
  const wait = ['--expect-workers', String(workers), '--expect-workers-max-wait', String(WAIT_SECONDS)];
  return ['--master', '--master-bind-port', String(PORT), ...wait];
}

/**
 * @param {string} stdout one list of JSON for each of its processes, the master's last
 * @param {{ stderr?: string }} [run]
 * @returns {LoadedWindow}
 * @throws {Error} where there is none
 */
export function parseLocust(stdout, { stderr = '' } = {}) {
  const start = [...stdout.matchAll(/^\[$|^\[\]$/gm)].at(-1);
  const end = start && /^\]$|^\[\]$/m.exec(stdout.slice(start.index));
  if (!start || !end) throw new Error('no statistics');
  /** @type {any[]} */
  const all = JSON.parse(stdout.slice(start.index, start.index + end.index + end[0].length));
  const timed = all.filter(({ name }) => name !== LOST.unanswered);
  const waits = counted(
    all.filter(({ name }) => name === LOST.unanswered).map((entry) => entry.response_times),
  );
  const unansweredMs = [...waits].flatMap(([ms, count]) => Array(count).fill(ms));
  if (timed.length === 0) return { seconds: 1, requests: 0, errors: { failed: 0 }, unansweredMs };
  const entries = timed.filter(({ name }) => name !== LOST.connect && name !== LOST.resets);
  const total = (/** @type {string} */ key) => sum(entries, (entry) => entry[key]);
  const requests = total('num_requests');
  const avg = total('total_response_time') / requests;
  const lost = (/** @type {string} */ row) =>
    sum(timed, ({ name, num_requests }) => (name === row ? num_requests : 0));
  const [connect, resets] = [lost(LOST.connect), lost(LOST.resets)];
  const gone = new Set(
    [...stderr.matchAll(/Worker '?(\S+?)'? failed to send heartbeat/g)].map(([, id]) => id),
  );
  const latencies = counted(entries.map((entry) => entry.response_times));
  return {
    seconds: secondsOf(timed),
    requests,
    bytes: total('total_content_length'),
    errors: {
      failed: total('num_failures'),
      ...(connect > 0 && { connect }),
      ...(resets > 0 && { resets }),
    },
    unansweredMs,
    ...(gone.size > 0 && { workersLost: gone.size }),
    ...(requests > 0 && {
      peakRequestsPerSecond: Math.max(...counted(entries.map((entry) => entry.num_reqs_per_sec)).values()),
      latencyMs: {
        avg,
        min: Math.min(...entries.map((entry) => entry.min_response_time)),
        max: Math.max(...entries.map((entry) => entry.max_response_time)),
        ...percentilesOf(latencies, requests),
      },
      latencies: { us: [...latencies.keys()].map((ms) => ms * 1000), counts: [...latencies.values()] },
    }),
  };
}

/**
 * @param {{ start_time: number, last_request_timestamp: number }[]} entries
 * @returns {number} from the first request to the end of the last
 */
function secondsOf(entries) {
  const ends = entries.map((entry) => entry.last_request_timestamp);
  return Math.max(...ends) - Math.min(...entries.map((entry) => entry.start_time));
}

/**
 * @param {Map<number, number>} latencies counts by milliseconds, ascending
 * @param {number} requests
 * @returns {LatencyMs}
 */
function percentilesOf(latencies, requests) {
  return Object.fromEntries(
    PERCENTILES.map(([name, share]) => {
      let left = share * requests;
      const found = [...latencies].find(([, count]) => (left -= count) <= 0);
      return [name, found?.[0] ?? 0];
    }),
  );
}

/**
 * @param {Record<string, number>[]} counts by a number, of each entry
 * @returns {Map<number, number>} ascending
 */
function counted(counts) {
  /** @type {Map<number, number>} */
  const total = new Map();
  for (const [key, count] of counts.flatMap((entry) => Object.entries(entry)))
    total.set(Number(key), (total.get(Number(key)) ?? 0) + count);
  return new Map([...total].sort(([a], [b]) => a - b));
}
