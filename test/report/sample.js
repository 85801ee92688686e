/**
 * A run and a comparison with everything a report can show.
 * @import { CaseComparison, Comparison, MetricComparison, PerSecond, Run, RunCase, Trial
 *   } from '../../scripts/types.js'
 */

import { decisiveOf } from '../../scripts/judge/case-verdict.js';
import { summarize } from '../../scripts/samples/summary.js';

const LOAD = {
  tool: 'autocannon',
  connections: 100,
  durationSeconds: 2,
  warmupSeconds: 1,
  windows: 1,
  keepAlive: true,
  pipelining: 1,
  threads: 1,
};
/** The rates of single seconds, as shares of the mean. */
const SPREAD = { p1: 0.9, p2_5: 0.91, p50: 1, p97_5: 1.09, avg: 1, stdev: 0.04, min: 0.89 };
const ANSWER_BYTES = 176;

/** @type {(mean: number) => PerSecond} */
function around(mean) {
  const parts = Object.entries(SPREAD).map(([name, share]) => [name, share * mean]);
  return /** @type {PerSecond} */ (Object.fromEntries(parts));
}

/** @type {(round: number, rate: number, changes?: { clientSeconds?: number, timeouts?: number }) => Trial} */
function trial(round, rate, { clientSeconds = 1, timeouts = 0 } = {}) {
  return {
    round,
    startupMs: 200,
    failure: null,
    latencies: { us: [0, 1000, 2000, 3000, 20_000], counts: [30, 940, 10, 19, 1] },
    windows: [
      {
        seconds: 2,
        requests: rate * 2,
        bytes: rate * 2 * ANSWER_BYTES,
        latencyMs: { avg: 1.25, stdev: 0.5, p2_5: 0, p50: 1, p97_5: 2, p99: 3, max: 20 + round },
        errors: { timeouts, connect: 0, non2xx: 0 },
        requestsPerSecond: around(rate),
        bytesPerSecond: around(rate * ANSWER_BYTES),
        cpu: {
          serverSeconds: clientSeconds > 1.8 ? 1 : 1.96,
          clientSeconds,
          foreignShare: 0.01,
          stealShare: 0,
        },
        rssBytes: 100_000_000,
      },
    ],
  };
}

/** @type {(server: string, serverName: string, trials: Trial[]) => RunCase} */
function caseOf(server, serverName, trials) {
  const summary = summarize(trials, { load: LOAD });
  return {
    id: `${server} / autocannon c100`,
    server,
    serverName,
    route: '/',
    request: { method: 'GET', path: '/', headers: {} },
    load: LOAD,
    instances: 1,
    ...(server === 'node-http' && { reference: true }),
    trials,
    ...(summary && { summary }),
  };
}

/** @returns {Run} */
export function sampleRun() {
  return {
    schema: 'perf-action/run@1',
    id: 'head',
    session: 's',
    startedAt: '2026-11-20T10:00:00.000Z',
    finishedAt: '2026-11-20T10:01:00.000Z',
    title: 'A sample',
    seed: 7,
    relativeTo: 'express',
    revision: { sha: '0123456789abcdef', dirty: true },
    environment: {
      cpuModel: 'Example CPU',
      cores: 2,
      memoryBytes: 8 * 2 ** 30,
      os: 'Example OS 1',
      kernel: '6.1',
      runner: 'local',
      runtimes: { node: '24.1.0' },
      tools: { autocannon: '9.0.0' },
      fingerprint: 'abc',
    },
    warnings: [
      { code: 'cancelled', measured: 1, planned: 2, message: 'the run was cancelled' },
      {
        code: 'disturbed',
        share: 0.12,
        message: 'others took 12 % of the machine',
        case: 'fastify / autocannon c100',
      },
      {
        code: 'disturbed',
        share: 0.12,
        message: 'others took 12 % of the machine',
        case: 'express / autocannon c100',
      },
    ],
    command: 'perf-action run --servers express,fastify',
    published: {
      source: 'somewhere',
      conditions: 'another machine',
      servers: { express: { throughput: 1000 }, fastify: { throughput: 5100 } },
    },
    cases: [
      caseOf('node-http', 'node:http', [trial(0, 60_000), trial(1, 61_000)]),
      caseOf('express', 'Express', [trial(0, 10_000, { timeouts: 3 }), trial(1, 10_200)]),
      caseOf('fastify', 'Fastify', [trial(0, 50_000), trial(1, 52_000)]),
      caseOf('limited', 'Limited', [
        trial(0, 70_000, { clientSeconds: 1.98 }),
        trial(1, 70_000, { clientSeconds: 1.98 }),
      ]),
      caseOf('broken', 'Broken | <b>@all</b>', [
        {
          round: 0,
          windows: [],
          failure: {
            kind: 'exited-at-start',
            message: '`node x` ended with 1',
            logHead: ['npm error <cause>'],
            logTail: ['boom', '```'],
            command: 'cd broken && HOST=127.0.0.1 PORT=3000 node x',
          },
        },
      ]),
    ],
  };
}

/**
 * @param {string} metric
 * @param {MetricComparison['verdict']} verdict
 * @param {[base: number, head: number]} sizes
 * @param {[effect: number, low: number, high: number]} pct
 * @param {MetricComparison['why']} [why]
 * @returns {MetricComparison}
 */
export function change(metric, verdict, [base, head], [effectPct, ...ciPct], why) {
  const halfIntervalPct = (ciPct[1] - ciPct[0]) / 2;
  const changed = why ?? { code: 'changed', byPct: effectPct, halfIntervalPct };
  return { metric, verdict, base, head, effectPct, ciPct, why: changed };
}

export const LEANER = change('memory', 'improved', [120e6, 100e6], [-16.7, -20, -13]);
export const WAITS = change('p99', 'regressed', [12, 35], [191.7, 150, 240]);

/**
 * @type {(server: string, verdict: CaseComparison['verdict'], metrics: MetricComparison[]) => CaseComparison}
 */
export function compared(server, verdict, metrics) {
  const decisive = decisiveOf({ verdict, metrics });
  return { id: `${server} / autocannon c100`, verdict, metrics, ...(decisive && { decisive }) };
}

/** @returns {Comparison} */
export function sampleComparison() {
  return {
    schema: 'perf-action/comparison@1',
    verdict: 'regressed',
    base: { id: 'base', sha: 'fedcba9876543210', startedAt: '2026-11-19T10:00:00.000Z' },
    head: { id: 'head', startedAt: '2026-11-20T10:00:00.000Z' },
    method: 'stored',
    reference: { id: 'node-http / autocannon c100', effectPct: 0.4, ciPct: [-0.6, 1.4] },
    promise: { falseAlarms: 0.01, outside: [] },
    warnings: [
      {
        code: /** @type {any} */ ('mix-changed'),
        case: 'fastify / autocannon c100',
        message: 'the starts have two states 30 % apart: fast in 7 of 20 starts, was 6 of 20',
      },
    ],
    cases: [
      compared('express', 'same', [
        change('throughput', 'same', [10_140, 10_100], [-0.4, -1.2, 0.5], { code: 'inside-margin' }),
      ]),
      compared('fastify', 'regressed', [
        change('throughput', 'regressed', [55_000, 51_000], [-7.25, -9.5, -5]),
        LEANER,
        { metric: 'errors', verdict: 'same', base: 0, head: 0, why: { code: 'no-errors' } },
      ]),
      compared('limited', 'unsure', [
        change('throughput', 'unsure', [69_000, 70_000], [1.4, -6, 9], { code: 'open', moreRounds: 12 }),
      ]),
      { ...compared('broken', 'unsure', []), only: 'head' },
    ],
  };
}
