/**
 * k6: the engine's own request over and over, or a user's script with its checks and thresholds.
 * @import { LoadedWindow } from '../../types.js'
 * @import { StartedTool, Target } from '../tools.js'
 */

import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodedBody, LAST_ANSWERS_SECONDS, patienceOf } from '../request.js';

const OWN = fileURLToPath(new URL('./k6-script.js', import.meta.url));
/** As its documentation lists its exit codes. */
const THRESHOLDS_FAILED = 99;
const REPORT = 'summary.json';
/** Since 1.5 k6 knows a summary of another shape. A flag would stop an older one; it ignores a variable. */
const NEW_SUMMARY = 'K6_NEW_MACHINE_READABLE_SUMMARY';
const SHARES = [2.5, 50, 75, 90, 95, 97.5, 99, 99.9];
/** Our names of its statistics, and its own. */
const STATS = [
  ...['avg', 'min', 'max'].map((name) => [name, name]),
  ...SHARES.map((share) => [`p${String(share).replace('.', '_')}`, `p(${share})`]),
];

/** @type {StartedTool} */
export const k6 = {
  id: 'k6',
  label: 'k6',
  install: 'go install go.k6.io/k6/v2@latest',
  can: ['rate', 'script', 'anyPath', 'bodiless', 'anyStatus', 'data'],
  wholeSeconds: false,
  // Go's scheduler spreads its virtual users.
  coresOf: () => availableParallelism(),
  version: 'version',
  scriptCheck: { args: (script) => ['inspect', '--no-color', script], messageIn },

  async command(target) {
    const { load, url, seconds, scratch } = target;
    const { script, connections, keepAlive } = load;
    const run = ['env', `${NEW_SUMMARY}=false`, 'k6', 'run', '--quiet', '--no-color', '--no-usage-report'];
    run.push('--address', '', '--summary-export', join(scratch, REPORT));
    run.push('--summary-trend-stats', STATS.map(([, stat]) => stat).join(','));
    if (script !== undefined) {
      run.push('--insecure-skip-tls-verify', '--vus', String(connections), '--duration', `${seconds}s`);
      if (!keepAlive) run.push('--no-connection-reuse');
      return [...run, '-e', `BASE_URL=${url}`, resolve(script)];
    }
    const [settings, requests] = [join(scratch, 'asked.json'), join(scratch, 'requests.json')];
    await writeFile(settings, JSON.stringify(settingsOf(target)));
    await writeFile(requests, JSON.stringify(requestsOf(target)));
    return [...run, '-e', `ASKED=${settings}`, '-e', `REQUESTS=${requests}`, OWN];
  },

  parse: parseK6,
  reportFile: REPORT,
  reportCodes: [THRESHOLDS_FAILED],
};

/** What the engine's script reads. @param {Target} target */
function settingsOf({ load: { connections, rate, keepAlive }, request, seconds }) {
  const users =
    rate === undefined
      ? { executor: 'constant-vus', vus: connections }
      : { executor: 'constant-arrival-rate', rate, preAllocatedVUs: connections };
  return {
    method: request.method,
    timeout: `${patienceOf({ seconds })}s`,
    expected: request.expectedStatus ?? { min: 200, max: 299 },
    scenario: { ...users, duration: `${seconds}s`, gracefulStop: `${LAST_ANSWERS_SECONDS}s` },
    noConnectionReuse: !keepAlive,
  };
}

/** What varies. @param {Target} target */
function requestsOf({ request, url }) {
  return (request.variants ?? [request]).map(({ path, headers, body }) => ({
    url: url + path,
    headers,
    ...encodedBody({ body }),
  }));
}

/** Its own line. @type {(stderr: string) => string | undefined} */
function messageIn(stderr) {
  const line = stderr.split('\n').findLast((text) => text.includes('level=error'));
  const [, text] = /msg=("(?:[^"\\]|\\.)*")/.exec(line ?? '') ?? [];
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Reads k6's summary.
 * @param {string} report
 * @param {Partial<Target>} [target]
 * @returns {LoadedWindow}
 * @throws {Error} where there is none
 */
export function parseK6(report, { seconds = Infinity, load } = {}) {
  const { metrics } = JSON.parse(report);
  const { http_reqs: answered, sent, http_req_duration: times, http_req_failed: failed, checks } = metrics;
  const timed = answered ?? sent;
  if (timed === undefined) throw new Error('the script sent no request');
  const took = timed.count / timed.rate;
  const all = answered?.count ?? 0;
  const count = (/** @type {string} */ name) => metrics[name]?.count ?? 0;
  const [connect, resets] = [count('connect'), count('resets')];
  const requests = all - connect - resets;
  const thresholdsMissed = missedIn(metrics);
  const stats = STATS.flatMap(([name, stat = '']) =>
    times?.[stat] === undefined ? [] : [[name, times[stat]]],
  );
  return {
    // At a rate, k6 sends nothing while the last answers arrive.
    seconds: load?.rate === undefined ? took : Math.min(took, seconds),
    requests,
    bytes: count('data_received'),
    errors: {
      // "passes" is how often it was true that one failed.
      failed: Math.max(0, (failed?.passes ?? 0) - connect - resets),
      connect,
      ...(resets > 0 && { resets }),
      // Only the engine's own script counts what it sends.
      ...(sent && { stalls: Math.max(0, sent.count - all) }),
      ...(checks && { checks: checks.fails }),
    },
    ...(thresholdsMissed.length > 0 && { thresholdsMissed }),
    ...(requests > 0 && { latencyMs: Object.fromEntries(stats) }),
  };
}

/**
 * Like "http_req_duration: p(95)<200"; true where one was crossed.
 * @type {(metrics: Record<string, { thresholds?: Record<string, boolean> }>) => string[]}
 */
function missedIn(metrics) {
  return Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds).flatMap(([rule, isCrossed]) => (isCrossed ? `${name}: ${rule}` : [])),
  );
}
