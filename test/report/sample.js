/**
 * A run and a comparison with everything a report can show.
 * @import { CaseComparison, Comparison, Run, RunCase, Trial } from '../../scripts/types.js'
 */

import { summarize } from '../../scripts/store/summary.js';

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
const SPREAD = { p1: 900, p2_5: 910, p50: 1000, p97_5: 1090, avg: 1000, stdev: 40, min: 890 };

/**
 * @param {number} round
 * @param {number} rate
 * @param {{ clientSeconds?: number, timeouts?: number }} [changes]
 * @returns {Trial}
 */
function trial(round, rate, { clientSeconds = 1, timeouts = 0 } = {}) {
  return {
    round,
    bootMs: 200,
    failure: null,
    windows: [
      {
        seconds: 2,
        requests: rate * 2,
        bytes: rate * 2 * 176,
        latencyMs: { avg: 1.25, stdev: 0.5, p2_5: 0, p50: 1, p97_5: 2, p99: 3, max: 20 + round },
        errors: { timeouts, connect: 0, non2xx: 0 },
        requestsPerSecond: SPREAD,
        bytesPerSecond: SPREAD,
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

/**
 * @param {string} server
 * @param {string} serverName
 * @param {Trial[]} trials
 * @returns {RunCase}
 */
function caseOf(server, serverName, trials) {
  const summary = summarize(trials, LOAD);
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
    warnings: [{ code: 'cancelled', message: 'the run was cancelled' }],
    command: 'perf-action run --servers express,fastify',
    published: {
      source: 'somewhere',
      conditions: 'another machine',
      servers: { express: { throughput: 1000, p99Ms: 59 }, fastify: { throughput: 5100, p99Ms: 19 } },
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
          failure: { kind: 'exited-at-boot', message: '`node x` ended with 1', logTail: ['boom', '```'] },
        },
      ]),
    ],
  };
}

/** @returns {Comparison} */
export function sampleComparison() {
  /** @type {(id: string, verdict: CaseComparison['verdict'], effectPct: number, ciPct: [number, number]) => CaseComparison} */
  const compared = (id, verdict, effectPct, ciPct) => ({
    id: `${id} / autocannon c100`,
    verdict,
    metrics: [{ metric: 'throughput', verdict, base: 1, head: 1, effectPct, ciPct, why: '2 boots a side' }],
  });
  return {
    schema: 'perf-action/comparison@1',
    verdict: 'regressed',
    base: { id: 'base', startedAt: '2026-11-19T10:00:00.000Z' },
    head: { id: 'head', startedAt: '2026-11-20T10:00:00.000Z' },
    method: 'through-reference',
    reference: { id: 'node-http / autocannon c100', effectPct: 0.4, ciPct: [-0.6, 1.4] },
    promise: 'at most 1 report in 100 raises a false alarm',
    warnings: [],
    cases: [
      compared('express', 'same', -0.4, [-1.2, 0.5]),
      compared('fastify', 'regressed', -7.25, [-9.5, -5]),
      { id: 'limited / autocannon c100', verdict: 'unsure', metrics: [], only: 'head' },
    ],
  };
}
