/**
 * Recorded windows of two servers, loaded alternately, and runs drawn from them.
 * @import { Run, Trial } from '../../scripts/types.js'
 */

import { group } from 'd3-array';
import { join } from 'node:path';
import { startsOf } from '../../scripts/samples/case-figures.js';
import { readRun } from '../../scripts/store/run-file.js';
import { readJsonLines } from '../json-lines.js';

export { seededRandom } from '../../scripts/plan/random.js';

/** Of the machine that recorded them. */
const CORES = 2;

/**
 * @typedef {{ rec: string, label: string, r: number, k: number, s: 'A' | 'B', at: number, rps: number, cpu:
 *   number, busy?: number,
 *   steal: number }} RecordedWindow
 * @typedef {{ base: Trial, head: Trial }} Round
 */

/**
 * @param {string} label the name of a stored recording ("alternating"), or the path of a file of the same
 *   kind
 * @returns {Map<string, Round[]>} by recording and pair of servers: "b express-same"
 */
export function readRounds(label) {
  const file = label.endsWith('.jsonl')
    ? label
    : new URL(`../../test/data/noise/${label}.jsonl`, import.meta.url);
  /** @type {RecordedWindow[]} */
  const windows = readJsonLines(file);
  const pools = group(windows, ({ rec, label: pair }) => `${rec} ${pair}`);
  return new Map(
    [...pools].map(([name, all]) => [name, [...group(all, ({ r }) => r).values()].map(roundOf)]),
  );
}

/**
 * @param {string} folder of results with both sides, as `run --against self --out FOLDER` leaves them
 * @returns {Promise<Map<string, Round[]>>} by case; "... -same" where a server was measured against itself
 */
export async function readRoundsOfRun(folder) {
  const base = await readRun(join(folder, 'base/run.json'));
  const head = await readRun(join(folder, 'run.json'));
  return new Map(
    head.cases.map(({ id, trials }) => {
      const others = startsOf(base.cases.find((measured) => measured.id === id) ?? { trials: [] });
      const rounds = startsOf({ trials }).flatMap((trial) => {
        const other = others.find(({ round }) => round === trial.round);
        return other ? [{ base: other, head: trial }] : [];
      });
      return [`${id}${head.against === 'self' ? ' -same' : ''}`, rounds];
    }),
  );
}

/** @type {(windows: RecordedWindow[]) => Round} */
function roundOf(windows) {
  const [base, head] = ['A', 'B'].map((side) => startOf(windows.filter(({ s }) => s === side)));
  return { base: /** @type {Trial} */ (base), head: /** @type {Trial} */ (head) };
}

/**
 * What others had of the machine was not recorded apart from the load tool, so it is left out.
 * @param {RecordedWindow[]} windows
 * @returns {Trial}
 */
function startOf(windows) {
  return {
    round: windows[0]?.r ?? 0,
    failure: null,
    windows: windows.map(({ at, rps, cpu, steal }) => ({
      at,
      seconds: 1,
      requests: rps,
      cpu: {
        serverSeconds: (cpu * rps) / 1e6,
        clientSeconds: 0,
        foreignShare: 0,
        stealShare: steal / 100 / CORES,
      },
    })),
  };
}

/**
 * Whole rounds, with replacement. Of one server against itself either side may be the base, so that nothing
 * but chance lies between them; speed then makes the head slower.
 * @param {Round[]} pool
 * @param {{ rounds: number, random: () => number, swap?: boolean, speed?: number }} how
 * @returns {{ base: Trial[], head: Trial[] }}
 */
export function drawRounds(pool, { rounds, random, swap = false, speed = 1 }) {
  const drawn = Array.from({ length: rounds }, (_, round) => {
    const { base, head } = /** @type {Round} */ (pool[Math.floor(random() * pool.length)]);
    const [one, other] = swap && random() < 0.5 ? [head, base] : [base, head];
    return { base: { ...one, round }, head: { ...slowed(other, speed), round } };
  });
  return { base: drawn.map(({ base }) => base), head: drawn.map(({ head }) => head) };
}

/**
 * @param {Trial} trial
 * @param {number} speed 0.95 is 5 % slower: it answers less with the same CPU time
 * @returns {Trial}
 */
export function slowed(trial, speed) {
  return {
    ...trial,
    windows: trial.windows.map((window) => ({ ...window, requests: window.requests * speed })),
  };
}

/**
 * @param {string} id
 * @param {Trial[]} trials
 * @param {string} [session]
 * @returns {Run} of one case
 */
export function runOf(id, trials, session = 'bench') {
  const load = {
    tool: 'wrk',
    connections: 64,
    durationSeconds: 4,
    warmupSeconds: 1,
    windows: 4,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
  };
  const request = { method: 'GET', path: '/', headers: {} };
  return {
    schema: 'perf-action/run@1',
    id,
    session,
    revision: {},
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:00Z',
    environment: {
      cpuModel: 'recorded',
      cores: CORES,
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
        request,
        load,
        instances: 1,
        trials,
      },
    ],
  };
}
