/**
 * Small runs for tests, whole by their type.
 * @import { Case, Environment, Run, RunCase, Trial, Window } from '../../scripts/types.js'
 */

/** @type {Case['load']} */
export const LOAD = {
  tool: 'autocannon',
  connections: 10,
  durationSeconds: 2,
  warmupSeconds: 1,
  windows: 1,
  keepAlive: true,
  pipelining: 1,
  threads: 1,
};

/** @type {Environment} */
const ENVIRONMENT = {
  cpuModel: 'Test CPU',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: '6.1.0',
  runner: 'local',
  runtimes: { node: '20.20.2' },
  tools: { autocannon: '9.0.0' },
  fingerprint: 'aaaa0000',
};

/** @type {(facts?: Partial<Trial>, ...windows: Partial<Window>[]) => Trial} */
export function trial(facts = {}, ...windows) {
  const all = windows.length > 0 ? windows : [{}];
  return {
    round: 0,
    failure: null,
    windows: all.map((window) => ({ seconds: 2, requests: 2000, ...window })),
    ...facts,
  };
}

/** @type {(server: string, trials?: Trial[]) => RunCase} */
export function runCase(server, trials = [trial()]) {
  return {
    id: `${server} / autocannon c10`,
    server,
    serverName: server,
    route: '/',
    request: { method: 'GET', path: '/', headers: {} },
    load: LOAD,
    instances: 1,
    trials,
  };
}

/**
 * @param {Partial<Omit<Run, 'environment'>> & { environment?: Partial<Environment> }} [facts]
 * @returns {Run}
 */
export function run({ environment, ...facts } = {}) {
  return {
    schema: 'perf-action/run@1',
    id: 'one',
    session: 'session-1',
    startedAt: '2026-11-20T10:00:00.000Z',
    finishedAt: '2026-11-20T10:01:00.000Z',
    revision: { sha: '0123456789abcdef', label: 'head' },
    environment: { ...ENVIRONMENT, ...environment },
    cases: [runCase('hello')],
    ...facts,
  };
}
