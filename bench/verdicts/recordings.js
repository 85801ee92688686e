/**
 * Recorded boots, and pairs of runs drawn from them.
 * @import { Run, Trial } from '../../scripts/types.js'
 */

import { readFileSync } from 'node:fs';

/**
 * @typedef {{ rps: number, p50: number, p99: number, cpu_us: number, client_cpu_us: number, foreign: number, steal: number }} RecordedWindow
 * @typedef {{ label: string, round: number, variant: string, at: number, windows: RecordedWindow[] }} Boot
 */

/**
 * @param {string} label the name of a stored recording ("quiet"), or the path of a file of the same kind
 * @returns {Boot[]}
 */
export function readBoots(label) {
  const file = label.endsWith('.jsonl')
    ? label
    : new URL(`../../test/data/noise/${label}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * One second of wrk as the run file has it, made slower on demand.
 * @param {Boot} boot
 * @param {{ speed?: number, latencyToo?: boolean }} [change] speed: 0.95 is 5 % slower
 * @returns {Trial}
 */
export function trialOf({ round, windows }, { speed = 1, latencyToo = false } = {}) {
  return {
    round,
    failure: null,
    windows: windows.map(({ rps, p50, p99, cpu_us, client_cpu_us, foreign, steal }) => ({
      seconds: 1,
      requests: rps * speed,
      latencyMs: { p50: latencyToo ? p50 / speed : p50, p99: latencyToo ? p99 / speed : p99 },
      cpu: {
        serverSeconds: (cpu_us * rps) / 1e6,
        clientSeconds: (client_cpu_us * rps) / 1e6,
        foreignShare: foreign,
        stealShare: steal,
      },
    })),
  };
}

/**
 * @param {'base' | 'head'} id
 * @param {Trial[]} trials
 * @param {string} [session]
 * @returns {Run} of one case
 */
export function runOf(id, trials, session = 'bench') {
  const load = {
    tool: 'wrk',
    connections: 64,
    durationSeconds: 3,
    warmupSeconds: 1,
    windows: 3,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
  };
  return {
    schema: 'perf-action/run@1',
    id,
    session,
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:00Z',
    revision: {},
    environment: {
      cpuModel: 'recorded',
      cores: 2,
      memoryBytes: 0,
      os: 'linux',
      kernel: '',
      runner: 'local',
      runtimes: {},
      tools: {},
      fingerprint: 'recorded',
    },
    cases: [
      {
        id: 'case',
        server: 'case',
        serverName: 'case',
        route: '/',
        request: { method: 'GET', path: '/', headers: {} },
        load,
        instances: 1,
        trials,
      },
    ],
  };
}

/**
 * Mulberry32.
 * @param {number} seed
 * @returns {() => number} 0 to 1
 */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
