/**
 * Does what a run does before its first load: installs, builds and starts the servers, with their services,
 * and checks what they answer. It leaves no results.
 * @import { Answer, Case, Config, Failure, Plan, Run, Side, Step } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
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
 * @typedef {(instance: Instance, routes: Sent[], context: { bounds: Check[2], verify: Dependencies['verify'],
 *   step: Step }) => ReturnType<Dependencies['verify']>} Ask
 */
/**
 * seconds: of an answer that only reads; queue: of its load, where that is long
 * @typedef {{ id: string, answer: Answer | undefined, seconds?: number, queue?: { connections: number,
 *   waitSeconds: number, enough: number } }} Answered
 */
/**
 * @typedef {{ server: string, startupMs?: number, fixedPort?: number, failure: Failure | null,
 *   routes: Answered[] }} FirstStart
 */

/**
 * One a server, without the reference, in at most so many seconds. Throws a MeasureError: cancelled.
 * @type {(config: Config, surroundings: Here, mostSeconds: number) => Promise<FirstStart[]>}
 */
export async function startOnce(config, surroundings, mostSeconds) {
  const { servers } = config;
  const { sides } = await sidesOf({ ...config, against: undefined }, surroundings);
  const cases = servers.flatMap(({ id }) => config.cases.find(({ server }) => server === id) ?? []);
  /** @type {Map<string, Pick<FirstStart, 'routes' | 'fixedPort'>>} */
  const answered = new Map();
  const runs = await startOnly({ config, sides, cases }, surroundings, {
    mostSeconds,
    async ask(instance, routes, { bounds, verify, step }) {
      const { server } = step.case;
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
      answered.set(server, { routes: all, fixedPort: instance.fixedPort });
      return answers;
    },
  });
  return (runs[0]?.cases ?? []).map(({ server, trials: [trial] }) => ({
    server,
    startupMs: trial?.startupMs,
    failure: trial?.failure ?? null,
    ...(answered.get(server) ?? { routes: [] }),
  }));
}

/**
 * Starts without load, of one case a server; one run a side. Throws a MeasureError: cancelled.
 * @param {{ config: Config, sides: Side[], cases: Case[] }} asked
 * @param {Here} surroundings
 * @param {{ mostSeconds: number, ask: Ask, again?: Dependencies['verify'],
 *   enter?: Parameters<typeof realDependencies>[0] }} context ask: the first check of each; again: others
 * @returns {Promise<Run[]>}
 */
export async function startOnly({ config, sides, cases }, { cwd, env, stderr, ...surroundings }, context) {
  const { mostSeconds, ask, enter } = context;
  const real = realDependencies(enter);
  const verify = context.again ?? real.verify;
  /** @type {Step | undefined} */
  let step;
  const dependencies = {
    ...real,
    /** @type {Dependencies['verify']} */
    async verify(instance, routes, bounds) {
      const own = step;
      step = undefined;
      if (!own) return verify(instance, routes, bounds);
      const whole = /** @type {Instance} */ (instance);
      return ask(whole, routes, { bounds, verify: real.verify, step: own });
    },
  };
  const late = abortIn(1000 * mostSeconds);
  const signal = AbortSignal.any([surroundings.signal, late]);
  const progress = progressOn(stderr, sides.length > 1);
  const order = { plan: startsOf(cases, config, sides), config, session: '', command: '', cwd };
  const { runs } = await measure(order, {
    ...{ env, signal, dependencies },
    onRuns: async () => {},
    onProgress(event) {
      if (event.type === 'start') [step] = event.members;
      if (event.type === 'prepare' || event.type === 'wait') progress.show(event);
    },
  }).finally(progress.end);
  if (signal.aborted) {
    const when = late.aborted ? `after ${mostSeconds / 60} min, ` : '';
    throw new MeasureError('cancelled', `${when}before every server had started`);
  }
  return runs;
}

/** One start each on each side, in turn. @type {(cases: Case[], config: Config, sides: Side[]) => Plan} */
function startsOf(cases, { title, seed }, sides) {
  const all = sides.map(({ label, servers }) => ({
    label,
    servers: serversById({ servers: cases.flatMap(({ server }) => servers[server] ?? []) }),
  }));
  const started = cases.map(withoutLoad);
  const order = [started.flatMap((planned) => all.map((side) => [{ side, case: planned }]))];
  return timed({ title, seed, sides: all, cases: started, order, budgetSeconds: Infinity, roundsBy: 'set' });
}

/** A case whose server is only started. @param {Case} planned */
export function withoutLoad({ warmupRequests: _, untilLevel: __, load, ...planned }) {
  return { ...planned, load: { ...load, warmupSeconds: 0, durationSeconds: 0, windows: 0 } };
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
