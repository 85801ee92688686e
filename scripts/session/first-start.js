/**
 * Does what a run does before its first load: installs, builds and starts the servers, with their services,
 * and checks what they answer. It leaves no results.
 * @import { Answer, Case, Config, Failure, Plan, Run, Server, Side } from '../types.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Dependencies } from '../run/dependencies.js'
 * @import { Progress } from '../run/conduct.js'
 * @import { Surroundings } from './experiments/experiment.js'
 */

import { MeasureError } from '../model/errors.js';
import { longQueue } from '../model/load-model-check.js';
import { serversById } from '../plan/side-servers.js';
import { timed } from '../plan/timetable.js';
import { realDependencies } from '../run/dependencies.js';
import { measure } from '../run/measure.js';
import { progressOn } from '../run/record/progress.js';
import { sidesOf } from './sides.js';
import { abortIn } from '../system/deadline.js';

/** Asked at once, they show how many answers a server works on at a time. */
const AT_ONCE = 8;
const TIMES = 5;
const MOST_MS = 500;

/** @typedef {Pick<Surroundings, 'cwd' | 'env' | 'stderr' | 'signal'>} Here */
/** @typedef {Parameters<Dependencies['verify']>} Check */
/** @typedef {Check[1][number]} Sent */
/** @typedef {Awaited<ReturnType<Dependencies['startServer']>>} Instance */
/**
 * inside: what `enter` put into it; services: their addresses
 * @typedef {(instance: Instance, routes: Sent[], context: { bounds: Check[2], server: Server,
 *   verify: Dependencies['verify'], inside: Inside[], services: NodeJS.ProcessEnv }) =>
 *   ReturnType<Dependencies['verify']>} Ask
 */
/**
 * seconds: of an answer that only reads; queue: of its load, where that is long
 * @typedef {{ id: string, answer: Answer | undefined, seconds?: number, queue?: { connections: number,
 *   waitSeconds: number, enough: number } }} Answered
 */
/**
 * @typedef {{ server: string, startupMs?: number, failure: Failure | null, routes: Answered[] }} FirstStart
 */

/**
 * One a server, without the reference, in at most so many seconds. Throws a MeasureError: cancelled.
 * @type {(config: Config, surroundings: Here, mostSeconds: number) => Promise<FirstStart[]>}
 */
export async function startOnce(config, surroundings, mostSeconds) {
  const { servers } = config;
  const { sides } = await sidesOf({ ...config, against: undefined }, surroundings);
  const cases = servers.flatMap(({ id }) => config.cases.find(({ server }) => server === id) ?? []);
  /** @type {Map<string, Answered[]>} */
  const answered = new Map();
  const runs = await startOnly({ config, sides, cases }, surroundings, {
    mostSeconds,
    async ask(instance, routes, { bounds, verify, server: { id: server } }) {
      const answers = await verify(instance, routes, bounds);
      const ask = (/** @type {Sent} */ route, times = 1) =>
        verify(instance, Array(times).fill(route), bounds);
      /** @type {Answered[]} */
      const all = [];
      for (const [place, route] of routes.entries()) {
        // One request of a route whose requests vary is enough.
        if (all.some(({ id }) => id === route.id)) continue;
        const loads = config.cases.filter((each) => each.server === server && each.route === route.id);
        all.push({ id: route.id, answer: answers[place], ...(await speedOf(route, { loads, ask })) });
      }
      answered.set(server, all);
      return answers;
    },
  });
  return (runs[0]?.cases ?? []).map(({ server, trials: [trial] }) => ({
    server,
    startupMs: trial?.startupMs,
    failure: trial?.failure ?? null,
    routes: answered.get(server) ?? [],
  }));
}

/**
 * Starts without load, of one case a server; one run a side. Throws a MeasureError: cancelled.
 * @param {{ config: Config, sides: Side[], cases: Case[] }} asked
 * @param {Here} surroundings
 * @param {Parameters<typeof asking>[0] & { mostSeconds: number }} context
 * @returns {Promise<Run[]>}
 */
export function startOnly({ config, sides, cases }, surroundings, { mostSeconds, ...asked }) {
  const all = sides.map(({ label, servers }) => ({
    label,
    servers: serversById({ servers: cases.flatMap(({ server }) => servers[server] ?? []) }),
  }));
  const plan = startsOf({ title: config.title, seed: config.seed, sides: all }, cases, Infinity);
  return measureNothing({ plan, config }, surroundings, { mostSeconds, dependencies: asking(asked) });
}

/**
 * A run that leaves no results. Throws a MeasureError: cancelled.
 * @param {{ plan: Plan, config: Config }} order
 * @param {Here} surroundings
 * @param {Pick<Parameters<typeof measure>[1], 'dependencies' | 'scout'> & { mostSeconds: number }} context
 */
export async function measureNothing(order, { cwd, env, stderr, signal }, { mostSeconds, ...hooks }) {
  const late = abortIn(1000 * mostSeconds);
  const both = AbortSignal.any([signal, late]);
  const progress = progressOn(stderr, order.plan.sides.length > 1);
  const onProgress = (/** @type {Progress} */ event) =>
    ['prepare', 'wait', 'scout'].includes(event.type) && progress.show(event);
  const { runs } = await measure(
    { ...order, session: '', command: '', cwd },
    { ...hooks, env, signal: both, onRuns: async () => {}, onProgress },
  ).finally(progress.end);
  if (both.aborted) {
    const when = late.aborted ? `after ${mostSeconds / 60} min, ` : '';
    throw new MeasureError('cancelled', `${when}before every server had started`);
  }
  return runs;
}

/**
 * Real servers, each of which is asked something else than its routes when it is first checked.
 * @param {{ ask: Ask, again?: Dependencies['verify'], enter?: Parameters<typeof realDependencies>[0],
 *   prepared?: () => void, settingUp?: Record<string, string> }} asked again: other checks; prepared: comes
 *   after a build; settingUp: variables of setups
 * @returns {Dependencies}
 */
export function asking({ ask, again, enter, prepared = () => {}, settingUp = {} }) {
  const real = realDependencies(enter);
  const { verify } = real;
  /** @type {Map<string, Omit<Parameters<Ask>[2], 'bounds' | 'verify'> & { instance: Instance }>} */
  const started = new Map();
  return {
    ...real,
    prepare: (...given) => real.prepare(...given).finally(prepared),
    setUp: (server, options) => real.setUp({ ...server, env: { ...server.env, ...settingUp } }, options),
    async startServer(server, options) {
      const instance = await real.startServer(server, options);
      // What `enter` gave is started with the server.
      const inside = /** @type {Inside[]} */ (options.inside ?? []);
      started.set(instance.url, { instance, server, inside, services: options.services ?? {} });
      return instance;
    },
    async verify(instance, routes, bounds) {
      const first = started.get(instance.url);
      started.delete(instance.url);
      if (first) return ask(first.instance, routes, { bounds, verify, ...first });
      return (again ?? verify)(instance, routes, bounds);
    },
  };
}

/**
 * One start each on each side, in turn, without load.
 * @type {(plan: Pick<Plan, 'title' | 'seed' | 'sides'>, cases: Case[], budgetSeconds: number) => Plan}
 */
export function startsOf(plan, cases, budgetSeconds) {
  const started = cases.map(({ warmupRequests: _, untilLevel: __, load, ...planned }) => ({
    ...planned,
    load: { ...load, warmupSeconds: 0, durationSeconds: 0, windows: 0 },
  }));
  const order = [started.map((planned) => plan.sides.map((side) => ({ side, case: planned })))];
  return timed({ ...plan, cases: started, order, budgetSeconds, roundsBy: 'set' });
}

/**
 * A write may change the next answer, so it is not asked again.
 * @param {Sent} route
 * @param {{ loads: Case[], ask: (route: Sent, times?: number) => Promise<unknown> }} here
 * @returns {Promise<Pick<Answered, 'seconds' | 'queue'>>}
 */
async function speedOf(route, { loads, ask }) {
  if (!['GET', 'HEAD'].includes(route.method)) return {};
  // The first answers are slow, and so are those of a moment.
  const secondsOf = async (/** @type {number} */ atOnce) => {
    const end = performance.now() + MOST_MS;
    let fastest = Infinity;
    for (let times = 0; times < TIMES && (times === 0 || performance.now() < end); times++) {
      const startedAt = performance.now();
      await ask(route, atOnce);
      fastest = Math.min(fastest, (performance.now() - startedAt) / 1000);
    }
    return fastest;
  };
  const seconds = await secondsOf(1);
  const queueIn = (/** @type {number} */ together) => {
    const latencyMs = { min: 1000 * seconds, avg: 1000 * together };
    const windows = [{ seconds: together, requests: AT_ONCE, latencyMs }];
    return loads.flatMap(({ load }) => {
      const queue = longQueue([{ round: 0, failure: null, windows }], load);
      return queue ? { connections: load.connections, ...queue } : [];
    })[0];
  };
  // They take no longer than one after the other.
  if (!queueIn(AT_ONCE * seconds)) return { seconds };
  const together = await secondsOf(AT_ONCE);
  // A server that works on many of them at once may work on many more.
  const queue = together < (AT_ONCE / 2) * seconds ? undefined : queueIn(together);
  return { seconds, ...(queue && { queue }) };
}
