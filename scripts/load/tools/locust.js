/**
 * Locust: virtual users in one process, in several here (`processes`), or in workers that join from anywhere.
 * @import { LoadedWindow } from '../../types.js'
 * @import { StartedTool, Target } from '../tools.js'
 */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { max, min, rollups, sum } from 'd3-array';
import { freePort, HOST } from '../../system/free-port.js';
import { encodedBody, headersOf, LAST_ANSWERS_SECONDS, patienceOf } from '../request.js';

const OWN = new URL('./locust-script.py', import.meta.url);
/** Its time includes the start of its users; it reports the time from the first request to the last. */
const START_SECONDS = 1;
const WAIT_SECONDS = 60;
const GRACE_SECONDS = 15;
/** How the engine's script names what has no answer. */
const LOST = { connect: '(connect)', resets: '(resets)', unanswered: '(unanswered)' };
/** Where workers expect their master. */
const PORT = 5557;

/** @type {StartedTool} */
export const locust = {
  id: 'locust',
  label: 'Locust',
  install: 'pipx install locust',
  can: ['script', 'processes', 'workers', 'bodiless', 'anyStatus'],
  wholeSeconds: true,
  stepMs: 1,
  countsItsStart: true,
  coresOf: ({ processes = 1 }) => processes,
  graceSeconds: ({ load: { workers } }) => GRACE_SECONDS + (workers === undefined ? 0 : WAIT_SECONDS),
  version: '--version',
  scriptCheck: {
    args: (script) => ['-f', script, '--list'],
    messageIn: (stderr) => stderr.trim().split('\n').at(-1) || undefined,
  },

  async command(target) {
    const { script, connections, processes = 1, workers, host } = target.load;
    const { protocol, hostname, port } = new URL(target.url);
    const users = String(connections);
    const file = script === undefined ? await ownScript(target) : resolve(script);
    const args = ['--headless', '--json', '--only-summary', '--exit-code-on-error', '0', '-f', file];
    args.push('-u', users, '-r', users, '-t', `${target.seconds + START_SECONDS}s`);
    args.push('--stop-timeout', String(LAST_ANSWERS_SECONDS));
    args.push('--host', `${protocol}//${host ?? hostname}:${port}`);
    if (processes > 1) {
      // A free port for the master, since several runs may share a machine.
      const own = String(await freePort());
      args.push('--processes', String(processes), '--master-bind-host', HOST);
      args.push('--master-bind-port', own, '--master-port', own);
    }
    if (workers !== undefined) {
      args.push('--master', '--master-bind-port', String(PORT));
      args.push('--expect-workers', String(workers), '--expect-workers-max-wait', String(WAIT_SECONDS));
    }
    return ['locust', ...args];
  },

  parse: parseLocust,
};

/** The file. @type {(target: Target & { scratch: string }) => Promise<string>} */
async function ownScript(target) {
  const { method, path, expectedStatus } = target.request;
  const sent = { method, path, ...encodedBody(target.request), headers: headersOf(target) };
  const asked = JSON.stringify({ ...sent, expectedStatus, timeout: patienceOf(target) });
  const file = join(target.scratch, 'locustfile.py');
  // A string of JSON is one of Python, too.
  const script = readFileSync(OWN, 'utf8').replace('"{}"', () => JSON.stringify(asked));
  await writeFile(file, script);
  return file;
}

/**
 * @param {string} stdout one list of JSON for each of its processes, the master's last
 * @param {{ stderr?: string, seconds?: number }} [run] seconds: how long it was to load
 * @returns {LoadedWindow}
 * @throws {Error} where there is none
 */
export function parseLocust(stdout, { stderr = '', seconds = Number.NaN } = {}) {
  const rows = lastList(stdout);
  const named = (/** @type {string} */ name) => rows.filter((row) => row.name === name);
  const waits = counted(named(LOST.unanswered), 'response_times');
  const unansweredMs = waits.flatMap(([ms, count]) => Array(count).fill(ms));
  const timed = rows.filter(({ name }) => name !== LOST.unanswered);
  if (timed.length === 0) return { seconds, requests: 0, errors: { failed: 0 }, unansweredMs };
  const answered = timed.filter(({ name }) => name !== LOST.connect && name !== LOST.resets);
  const total = (/** @type {string} */ key, among = answered) => sum(among, (row) => row[key]);
  const requests = total('num_requests');
  const connect = total('num_requests', named(LOST.connect));
  const resets = total('num_requests', named(LOST.resets));
  const silent = stderr.matchAll(/Worker '?(\S+?)'? failed to send heartbeat/g);
  const workersLost = new Set([...silent].map(([, id]) => id)).size;
  const latencies = counted(answered, 'response_times');
  return {
    // From the first request to the end of the last.
    seconds: max(timed, (row) => row.last_request_timestamp) - min(timed, (row) => row.start_time),
    requests,
    bytes: total('total_content_length'),
    errors: { failed: total('num_failures'), ...(connect > 0 && { connect }), ...(resets > 0 && { resets }) },
    unansweredMs,
    ...(workersLost > 0 && { workersLost }),
    ...(requests > 0 && {
      peakRequestsPerSecond: max(counted(answered, 'num_reqs_per_sec'), ([, count]) => count) ?? 0,
      latencyMs: {
        avg: total('total_response_time') / requests,
        min: min(answered, (row) => row.min_response_time),
        max: max(answered, (row) => row.max_response_time),
      },
      latencies: { us: latencies.map(([ms]) => ms * 1000), counts: latencies.map(([, count]) => count) },
    }),
  };
}

/** @type {(stdout: string) => any[]} */
function lastList(stdout) {
  const start = [...stdout.matchAll(/^\[$|^\[\]$/gm)].at(-1);
  const end = start && /^\]$|^\[\]$/m.exec(stdout.slice(start.index));
  if (!start || !end) throw new Error('no statistics');
  return JSON.parse(stdout.slice(start.index, start.index + end.index + end[0].length));
}

/** All rows' counts by a number, ascending. @type {(rows: any[], key: string) => [number, number][]} */
function counted(rows, key) {
  const counts = rows.flatMap((row) => Object.entries(/** @type {Record<string, number>} */ (row[key])));
  return rollups(
    counts,
    (alike) => sum(alike, ([, count]) => count),
    ([value]) => Number(value),
  ).toSorted(([a], [b]) => a - b);
}
