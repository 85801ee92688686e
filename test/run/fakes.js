/**
 * Dependencies that measure nothing and note in words what they are asked for, on a fake clock.
 * @import { Context } from '../../scripts/run/conduct.js'
 * @import { Dependencies } from '../../scripts/run/dependencies.js'
 * @import { Case, Config, Load, Plan, Server, Step, Touched, Trial, Trials } from '../../scripts/types.js'
 */

import { conditionsOf } from '../../scripts/model/dimensions.js';
import { MeasureError } from '../../scripts/model/errors.js';
import { makeCases } from '../../scripts/config/cases.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { withRoles } from '../../scripts/plan/roles.js';
import { conduct } from '../../scripts/run/conduct.js';
import { startsOf } from '../../scripts/session/first-start.js';

/** @param {string[]} paths */
export function routesOf(paths) {
  return paths.map((path) => ({ id: path, method: 'GET', path, headers: {}, expect: { status: 200 } }));
}

/** @type {(id: string, changes?: Partial<Server>) => Server} */
export function serverOf(id, changes = {}) {
  return {
    id,
    name: id,
    runtime: 'node',
    folder: '/',
    start: id,
    routes: routesOf(['/']),
    needs: [],
    env: {},
    ready: { path: '/', timeoutSeconds: 1 },
    ...changes,
  };
}

/**
 * @param {string[]} servers
 * @param {Partial<Config> & { load?: Partial<Load> }} [changes]
 * @returns {Config}
 */
export function configOf(servers, { load, ...changes } = {}) {
  const config = {
    asked: {},
    title: 'fakes',
    servers: servers.map((id) => serverOf(id)),
    request: {},
    cases: [],
    rounds: 1,
    seed: 7,
    out: 'unused',
    margin: 0.05,
    failOn: /** @type {const} */ ('regressed'),
    ignore: [],
    ...changes,
  };
  const points = config.servers.map((server) => ({
    server,
    route: '/',
    load: { ...conditionsOf({ load: LOAD, instances: 1 }), ...load },
  }));
  return { ...config, cases: makeCases(points, config.reference) };
}

/** @type {Load} */
const LOAD = {
  tool: 'wrk',
  connections: 1,
  durationSeconds: 2,
  warmupSeconds: 1,
  keepAlive: true,
  pipelining: 1,
  threads: 1,
};

/**
 * How the fakes behave. start: may throw, or return how long it takes in seconds; alive: names of servers
 * that run already; load: may throw, or return the seconds that the tool reports; service: why none starts;
 * statements: what a service has counted for a side; restless: shares of a core by name; dies: while it is
 * loaded in slices; allocated: bytes in a window.
 * @typedef {{
 *   start?: (name: string, alive: string[]) => number | void,
 *   load?: (name: string, seconds: number) => number | void,
 *   service?: string,
 *   statements?: (side: number) => Promise<Map<string, number> | undefined>,
 *   prepare?: (name: string) => void,
 *   setUp?: (folder: string) => void,
 *   restore?: (buildDirs: string[]) => { buildDir: string, changed: string[], lost: string[] }[],
 *   verify?: (url: string, routes: string[]) => void,
 *   checkSeconds?: (name: string) => number,
 *   restless?: Record<string, number>,
 *   startMs?: number,
 *   interleaves?: boolean,
 *   inside?: object[],
 *   saysIdle?: boolean,
 *   staysBusy?: boolean,
 *   answers?: (name: string, seconds: number) => number,
 *   cpuSeconds?: number,
 *   allocated?: (name: string) => number,
 *   errors?: Record<string, number>,
 *   dies?: (name: string) => boolean,
 *   rssBytes?: number,
 *   roomBytes?: number,
 *   roomFor?: (alive: string[]) => number,
 *   onEvent?: (word: string, controller: AbortController) => void,
 * }} Behaviour
 */

/**
 * @param {Behaviour} [behaviour]
 * @returns {{ dependencies: Dependencies, words: string[], alive: string[], signal: AbortSignal, keep: () =>
 *   Promise<void> }} words: what was asked for, in order; alive: names of servers that run; keep: notes that
 *   results are kept
 */
export function fakeDependencies(behaviour = {}) {
  const controller = new AbortController();
  /** @type {string[]} */
  const words = [];
  /** @type {string[]} */
  const alive = [];
  /** @type {Set<string>} */
  const dead = new Set();
  let clockMs = 0;
  /** @type {{ controller: AbortController, atMs: number }[]} */
  const deadlines = [];
  const pass = (/** @type {number} */ ms) => {
    clockMs += ms;
    for (const { controller, atMs } of deadlines) if (clockMs >= atMs) controller.abort();
  };
  const say = (/** @type {string} */ word) => {
    words.push(word);
    behaviour.onEvent?.(word, controller);
  };
  /** @type {Record<string, number>} */
  const pids = {};
  const nameOf = (/** @type {number} */ pid) => Object.keys(pids).find((name) => pids[name] === pid) ?? '';
  /** @type {any} */
  const dependencies = {
    prepare: async (/** @type {Server} */ { start }) => {
      say(`prepare ${start}`);
      pass(100_000);
      behaviour.prepare?.(String(start));
      return [];
    },
    startServices: async (/** @type {string[]} */ ids) => {
      for (const id of ids) say(`serve ${id}`);
      const failure = behaviour.service && new MeasureError('service-failed', behaviour.service);
      return {
        started: ids.map((id) => ({
          id,
          ...(failure && { failure }),
          ...(behaviour.statements && { groups: [], statementsOf: behaviour.statements }),
          urlOf: () => '',
        })),
        stop: async () => ids.forEach((id) => say(`end ${id}`)),
      };
    },
    setUp: async (
      /** @type {Server} */ { setup, folder },
      /** @type {{ services: object }} */ { services },
    ) => {
      say(`set up ${folder}: ${setup}${Object.keys(services).length > 0 ? ' with services' : ''}`);
      pass(100_000);
      behaviour.setUp?.(folder);
      return [];
    },
    keepTrees: (/** @type {string[]} */ buildDirs) => ({
      keepSetUp: () => {},
      restore: () => behaviour.restore?.(buildDirs) ?? [],
      end: () => {},
    }),
    startServer: async (/** @type {Server} */ { start }) => {
      const name = String(start);
      say(`start ${name}`);
      const seconds = behaviour.start?.(name, [...alive]);
      pass(1000 * (seconds ?? 0.5));
      alive.push(name);
      dead.delete(name);
      const pid = (pids[name] ??= Object.keys(pids).length + 1);
      /** @type {Promise<void> | undefined} */
      let stopped;
      const stop = async () => {
        say(`stop ${name}`);
        alive.splice(alive.indexOf(name), 1);
      };
      return {
        pid,
        url: `http://${name}`,
        startup: { ms: behaviour.startMs ?? 5000, cpuMs: 100, rssBytes: 1e7 },
        hasExited: () => dead.has(name),
        logTail: () => [],
        exited: Promise.resolve({ code: 1, signal: null }),
        command: `start ${name}`,
        stop: () => (stopped ??= stop()),
      };
    },
    enter: async () => behaviour.inside ?? [],
    verify: async (
      /** @type {{ url: string }} */ { url },
      /** @type {{ id: string }[]} */ routes,
      /** @type {{ signal: AbortSignal }} */ { signal },
    ) => {
      pass(1000 * (behaviour.checkSeconds?.(url.slice('http://'.length)) ?? 0));
      behaviour.verify?.(
        url.slice('http://'.length),
        routes.map(({ id }) => id),
      );
      if (signal.aborted) throw new MeasureError('cancelled', 'cancelled while checking');
      return routes.map(() => ({ status: 200, bytes: 12 }));
    },
    load: async (/** @type {{ url: string, seconds: number, load: Load, signal: AbortSignal }} */ target) => {
      const { url, seconds, load, signal } = target;
      const name = url.slice('http://'.length);
      say(`load ${name} ${seconds}${load.rate === undefined ? '' : ` at ${load.rate}`}`);
      const reported = behaviour.load?.(name, seconds) ?? seconds;
      pass(1000 * seconds);
      if (signal.aborted) throw new MeasureError('cancelled', 'cancelled under load');
      const requests = behaviour.answers?.(name, seconds) ?? 100;
      return { seconds: reported, requests, ...(behaviour.errors && { errors: behaviour.errors }) };
    },
    observe: (/** @type {number} */ pid, /** @type {{ waitingServers: number[] }} */ { waitingServers }) => ({
      stop: () => ({
        rssBytes: behaviour.rssBytes ?? 1,
        ...(behaviour.allocated && {
          allocatedBytes: behaviour.allocated(nameOf(pid)),
          outgoing: { count: 0, by: {} },
        }),
        ...(behaviour.cpuSeconds !== undefined && { cpu: { serverSeconds: behaviour.cpuSeconds } }),
        waitingServers: waitingServers.map((pid) => behaviour.restless?.[nameOf(pid)] ?? 0),
      }),
    }),
    untilIdle: async (/** @type {number[]} */ pids) => {
      if (behaviour.saysIdle) say(`idle ${pids.map(nameOf).join(' ')}`);
      return behaviour.staysBusy !== true;
    },
    shareCore: async (/** @type {number[]} */ pids) => {
      say(`share ${pids.map(nameOf).join(' ')}`);
      return true;
    },
    canInterleave: () => behaviour.interleaves ?? false,
    interleave: async (/** @type {{ url: string, seconds: number }[]} */ targets) => {
      const names = targets.map(({ url }) => url.slice('http://'.length));
      say(`interleave ${names.join(' ')}`);
      for (const name of names) if (behaviour.dies?.(name)) dead.add(name);
      const reported = targets.map(
        ({ seconds }, place) => behaviour.load?.(names[place] ?? '', seconds) ?? seconds,
      );
      pass(1000 * targets.reduce((sum, { seconds }) => sum + seconds, 0));
      return reported.map((seconds) => ({ seconds, requests: 100, clientSeconds: 0.5 }));
    },
    clients: () => [],
    now: () => clockMs,
    deadline: (/** @type {number} */ seconds) => {
      const deadline = new AbortController();
      deadlines.push({ controller: deadline, atMs: clockMs + 1000 * seconds });
      return deadline.signal;
    },
    cores: 1,
    roomBytes: () => behaviour.roomFor?.(alive) ?? behaviour.roomBytes ?? 1e9,
    stop: async () => say('end load'),
    conceal: (/** @type {string} */ text) => text.replaceAll('hidden-pw', '${PW}'),
  };
  return { dependencies, words, alive, signal: controller.signal, keep: async () => say('keep') };
}

/**
 * @param {Config} config
 * @param {string[]} [sides]
 */
export function planOf(config, sides = ['head']) {
  const all = [...(config.reference ? [config.reference] : []), ...config.servers];
  const started = (/** @type {Server} */ server, /** @type {string} */ label) =>
    sides.length > 1 ? { ...server, start: `${server.id}-${label}` } : server;
  return makePlan(
    config,
    sides.map((label) => ({
      label,
      servers: Object.fromEntries(all.map((server) => [server.id, started(server, label)])),
    })),
  );
}

/** @type {(plan: Pick<Plan, 'order'>, of: (planned: Case, step: Step) => Trial[]) => Trials} */
export function trialsIn({ order }, of) {
  return new Map(order.flat(2).map((step) => [step, of(step.case, step)]));
}

/**
 * @param {Config} config
 * @param {{ sides?: string[], services?: string[], looks?: Context['looks'], gates?: Context['gates'],
 *   promote?: Context['promote'], touched?: Touched }} [options]
 * @param {Behaviour} [behaviour]
 */
export async function conductFakes(config, options = {}, behaviour = {}) {
  const { sides, services = [], looks, gates, promote, touched } = options;
  const { dependencies, words, alive, signal, keep } = fakeDependencies(behaviour);
  const plan = planOf(config, sides);
  /** @type {import('../../scripts/run/conduct.js').Progress[]} */
  const events = [];
  const scout = touched && {
    dependencies,
    startsOf: (/** @type {Plan} */ plan) => startsOf(plan, plan.cases.slice(0, 1), plan.budgetSeconds),
    learn: () => touched,
    rolesOf: withRoles,
  };
  const measured = await conduct(plan, {
    signal,
    env: {},
    dependencies,
    services,
    looks,
    gates,
    scout,
    promote,
    onProgress: (event) => events.push(event),
    onMeasured: keep,
  });
  const { trials, warnings } = measured;
  /** @type {(id: string, side?: number) => Trial[]} */
  const trialsOf = (id, side = 0) =>
    [...trials].find(([step]) => step.side === plan.sides[side] && step.case.server === id)?.[1] ?? [];
  const { cases } = measured.plan;
  return { words, alive, trialsOf, warnings, events, trials, cases };
}
