/**
 * Warms up servers that run at the same time: which of them, in which order, and for how long.
 * @import { Warmup } from '../types.js'
 * @import { ServerRun } from './server-run.js'
 * @import { GroupContext } from './group.js'
 */

import { sum } from 'd3-array';
import { attempt, failDead, isRunning } from './server-run.js';
import { loadTurn, targetOf, turnsOf } from './turn.js';

/** Shorter steps are noise, longer ones overshoot. */
const STEP_SECONDS = 1;
/** The last steps are compared with as many before them. */
const STEPS = 3;
/** Unchanged servers vary this much within seconds. */
const LEVEL = 1.05;
/**
 * Throughput may pause while the second compiler still works. A compiler with work to do uses a core or more; what trickles in later
 * uses less than this share.
 */
const COMPILING = 0.25;
/** V8 compiles no framework after fewer; what a slow answer repeats within itself is compiled after one step. */
const LEAST_REQUESTS = 3000;
/** Some servers never level off (Barrett et al., Virtual machine warmup blows hot and cold, 2017). */
const MOST_SECONDS = 60;
/** Within a budget, more starts show more than warmer ones. */
const OF_BUDGET = 1 / 15;

/**
 * First all servers whose runtime compiles while they work, such as a JVM, until they level off; then the others, one by one. A server
 * that answers nothing in the time of a warm-up would only get a queue from it.
 * @param {ServerRun[]} group
 * @param {GroupContext} context
 */
export async function warmUp(group, context) {
  const warm = group.filter(({ member }) => member.case.untilLevel);
  await warmTogether(
    warm.filter(({ answerSeconds }) => answerSeconds < STEP_SECONDS),
    context,
  );
  for (const serverRun of group.filter(({ member }) => !member.case.untilLevel)) {
    const { load, warmupRequests } = serverRun.member.case;
    const step = () =>
      warmTurn([serverRun], load.warmupSeconds, { waiting: warm.filter(isRunning), context });
    if (load.warmupSeconds > serverRun.answerSeconds)
      await attempt(serverRun, context, () => warmUntilAnswered(step, warmupRequests));
    warm.push(serverRun);
  }
}

/**
 * Compilers starve while their own server is loaded, and catch up while another one is: two Spring servers that were loaded
 * alternately were warm after half a minute; loaded one after the other for as long, neither was.
 * @param {ServerRun[]} group
 * @param {GroupContext} context
 */
async function warmTogether(group, context) {
  const running = group.filter(isRunning);
  if (running.length === 0) return;
  const step = async (/** @type {number} */ seconds) => {
    const windows = [];
    for (const turn of turnsOf(running, context.dependencies)) {
      try {
        windows.push(...(await warmTurn(turn, seconds, { waiting: [], context })));
      } catch (error) {
        await failDead(turn, error, context);
        throw error;
      }
    }
    return windows;
  };
  try {
    const warmups = await warmUntilLevel(step, context);
    for (const [place, { trial }] of running.entries()) trial.warmup = /** @type {Warmup} */ (warmups[place]);
  } catch (error) {
    // The others start again without the one that failed; if none failed, the fault is ours.
    if (running.every(isRunning)) throw error;
    await warmTogether(running, context);
  }
}

/**
 * Without the load's rate, at which a JIT would see too few requests.
 * @param {ServerRun[]} turn
 * @param {number} seconds
 * @param {{ waiting: ServerRun[], context: GroupContext }} others waiting: servers that are warm
 * @returns {Promise<Warmup['windows']>} one a server of the turn
 */
async function warmTurn(turn, seconds, others) {
  const targets = turn.map((serverRun) => {
    const { load, ...target } = targetOf(serverRun, seconds);
    const { rate: _, ...unlimited } = load;
    return { ...target, load: unlimited };
  });
  const loads = await loadTurn(turn, { targets, isWarmUp: true, ...others });
  return loads.map(({ at, loaded, observed: { jvm } }) => ({
    at,
    seconds: loaded.seconds,
    requests: loaded.requests,
    ...(jvm && { jvm }),
  }));
}

/**
 * @param {(seconds: number) => Promise<Warmup['windows']>} step loads each server for so long; returns a window of each
 * @param {{ budgetSeconds?: number | undefined }} [bounds]
 * @returns {Promise<Warmup[]>} one a server, when the throughput of all has levelled off, or it has taken too long
 */
export async function warmUntilLevel(step, { budgetSeconds = Infinity } = {}) {
  const most = Math.max(2 * STEPS, Math.min(MOST_SECONDS, budgetSeconds * OF_BUDGET) / STEP_SECONDS);
  /** @type {Warmup[]} */
  let warmups = [];
  for (let steps = 0; steps < most && (steps === 0 || warmups.some(({ level }) => !level)); steps++) {
    const taken = await step(STEP_SECONDS);
    warmups = taken.map((window, place) => {
      const windows = [...(warmups[place]?.windows ?? []), window];
      return { level: isLevel(windows), windows };
    });
  }
  return warmups;
}

/**
 * JITs compile after a number of calls, which takes longer on a busy machine.
 * @param {() => Promise<Warmup['windows']>} step loads a server; returns its window
 * @param {number} [requests] to answer; one step suffices where three would not come near them
 */
export async function warmUntilAnswered(step, requests = 0) {
  for (let answered = 0, steps = 1; steps <= STEPS; steps++) {
    answered += sum(await step(), (window) => window.requests);
    if (answered >= requests || answered * (STEPS / steps) < LEAST_REQUESTS) return;
  }
}

/** @param {Warmup['windows']} windows */
function isLevel(windows) {
  const last = windows.slice(-STEPS);
  const before = windows.slice(-2 * STEPS, -STEPS);
  if (before.length < STEPS || rateOf(last) > LEVEL * rateOf(before)) return false;
  return compiling(last) <= COMPILING;
}

/** @param {Warmup['windows']} windows @returns {number} requests a second */
function rateOf(windows) {
  return sum(windows, ({ requests }) => requests) / sum(windows, ({ seconds }) => seconds);
}

/**
 * @param {{ seconds: number, jvm?: { compileMs: number } }[]} windows
 * @returns {number} how many cores the JIT compilers kept busy; 0 where that is unknown
 */
export function compiling(windows) {
  return sum(windows, ({ jvm }) => jvm?.compileMs ?? 0) / 1000 / sum(windows, ({ seconds }) => seconds);
}
