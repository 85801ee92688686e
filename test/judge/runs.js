/**
 * Made-up runs for the judge's tests, in which the truth is known.
 * @import { Run, RunCase, Trial, Window } from '../../scripts/types.js'
 */

/**
 * @param {number} seed
 * @returns {() => number} standard normal
 */
export function seededNormal(seed) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/**
 * Starts of a server that answers `level` requests a second, give or take `noise`.
 * @param {{ level: number, noise: number, starts: number, random: () => number, only?: 'throughput', more?:
 *   Partial<Window> }} of
 * @returns {Trial[]}
 */
export function startsOf({ level, noise, starts: count, random, only, more = {} }) {
  return Array.from({ length: count }, (_, round) => {
    const requests = level * Math.exp(noise * random());
    const cpu = { serverSeconds: 0.9, clientSeconds: 0.4, foreignShare: 0, stealShare: 0 };
    const seen = only ? {} : { cpu, latencyMs: { p50: 64e3 / requests, p99: 160e3 / requests } };
    return { round, failure: null, windows: [{ seconds: 1, requests, ...seen, ...more }] };
  });
}

/** @type {(id: string, trials: Trial[], facts?: { reference?: true }) => RunCase} */
export function caseOf(id, trials, facts = {}) {
  const load = {
    tool: 'wrk',
    connections: 64,
    durationSeconds: 1,
    warmupSeconds: 1,
    windows: 1,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
  };
  const request = { method: 'GET', path: '/', headers: {} };
  return { id, server: id, serverName: id, route: '/', request, load, instances: 1, trials, ...facts };
}

/** @type {(cases: RunCase[], facts?: { session?: string, fingerprint?: string }) => Run} */
export function runOf(cases, { session = 'one', fingerprint = 'here' } = {}) {
  return {
    schema: 'perf-action/run@1',
    id: 'run',
    session,
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:01:00Z',
    revision: {},
    environment: {
      cpuModel: '',
      cores: 2,
      memoryBytes: 0,
      os: '',
      kernel: '',
      runner: 'local',
      runtimes: {},
      tools: {},
      fingerprint,
    },
    cases,
  };
}
