/**
 * Warms up servers that run at the same time: which of them, in which order, and for how long.
 * @import { Warmup } from '../types.js'
 * @import { ServerRun } from './server-run.js'
 * @import { GroupContext } from './group.js'
 */

import { sum } from 'd3-array';
import { MOST_LEVEL_SECONDS } from '../model/times.js';
import { attempt, failDead, isRunning } from './server-run.js';
import { loadTurn, targetOf, turnsOf } from './turn.js';
import { secondsDue } from './window-length.js';

/** Shorter steps are noise, longer ones overshoot. */
const STEP_SECONDS = 1;
/** The last steps are compared with as many before them. */
const STEPS = 3;
/** Unchanged servers vary this much within seconds. */
const LEVEL = 1.05;
/**
 * Throughput may pause while the second compiler still works. A compiler with work to do uses a core or more;
 * what trickles in later uses less than this share.
 */
const COMPILING = 0.25;
/** V8 compiles no framework after fewer; what a slow answer repeats in itself is compiled after one step. */
const LEAST_REQUESTS = 3000;
/** Slices need some tenths to be equally many. */
const FINE_SECONDS = 0.25;

/**
 * First all servers whose runtime compiles while they work, such as a JVM, until they level off; then the
 * others, one by one. A server that answers nothing in the time of a warm-up would only get a queue from it.
 * @type {(group: ServerRun[], context: GroupContext) => Promise<void>}
 */
export async function warmUp(group, context) {
  const warm = group.filter(({ step }) => step.case.untilLevel);
  await warmTogether(
    warm.filter(({ answerSeconds }) => answerSeconds < STEP_SECONDS),
    { ...context, windowsFrom: context.endsAt - sum(group, secondsDue) },
  );
  /** Seconds by case: sides get as much, or one would be warmer. @type {Map<string, number>} */
  const missing = new Map();
  const isQuick = (/** @type {ServerRun} */ { step, answerSeconds }) =>
    step.case.load.warmupSeconds > answerSeconds;
  for (const serverRun of group.filter(({ step }) => !step.case.untilLevel)) {
    const { id, load, warmupRequests } = serverRun.step.case;
    if (isQuick(serverRun))
      await attempt(serverRun, context, async () => {
        const others = { waiting: warm.filter(isRunning), context };
        const [window] = await warmTurn([serverRun], load.warmupSeconds, others);
        const seconds = window ? secondsMissing(window, warmupRequests) : 0;
        missing.set(id, Math.max(seconds, missing.get(id) ?? 0));
      });
    warm.push(serverRun);
  }
  const missingOf = (/** @type {ServerRun} */ { step }) => missing.get(step.case.id) ?? 0;
  const due = group.filter((each) => isRunning(each) && isQuick(each) && missingOf(each) > 0);
  for (const turn of turnsOf(due, context.dependencies)) {
    const seconds = Math.max(...turn.map(missingOf));
    const waiting = group.filter((serverRun) => !turn.includes(serverRun) && isRunning(serverRun));
    try {
      // In slices a load may take any time; alone, some tools take whole seconds.
      await warmTurn(turn, turn.length > 1 ? seconds : Math.ceil(seconds), { waiting, context });
    } catch (error) {
      await failDead(turn, error, context);
    }
  }
}

/**
 * Compilers starve while their own server is loaded, and catch up while another is: two Spring servers that
 * were loaded alternately were warm after half a minute; loaded one after the other for as long, neither was.
 * windowsFrom: when windows must begin.
 * @type {(group: ServerRun[], context: GroupContext & { windowsFrom: number }) => Promise<void>}
 */
async function warmTogether(group, context) {
  const running = group.filter(isRunning);
  if (running.length === 0) return;
  const { elapsed, plan, windowsFrom } = context;
  const mostSeconds = Math.min(MOST_LEVEL_SECONDS * running.length, plan.timetable.longestWarmUpSeconds);
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
    const warmups = await warmUntilLevel(step, { elapsed, endsAt: elapsed() + mostSeconds, windowsFrom });
    for (const [index, { trial }] of running.entries()) trial.warmup = /** @type {Warmup} */ (warmups[index]);
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
 * A step takes several times its load: servers take turns, and their compilers go on after it.
 * @param {(seconds: number) => Promise<Warmup['windows']>} step loads each server so long; a window of each
 * @param {{ elapsed: () => number, endsAt: number, windowsFrom: number }} clock endsAt: once there are steps
 *   enough to see a level; windowsFrom: in any case
 * @returns {Promise<Warmup[]>} one a server, when the throughput of all has levelled off, or time is up
 */
export async function warmUntilLevel(step, { elapsed, endsAt, windowsFrom }) {
  /** @type {Warmup[]} */
  let warmups = [];
  for (let steps = 1; ; steps++) {
    const startedAt = elapsed();
    const taken = await step(STEP_SECONDS);
    warmups = taken.map((window, index) => {
      const windows = [...(warmups[index]?.windows ?? []), window];
      return { level: isLevel(windows), windows };
    });
    const now = elapsed();
    const isLate = now + (now - startedAt) > windowsFrom || (steps >= 2 * STEPS && now >= endsAt);
    if (isLate || warmups.every(({ level }) => level)) return warmups;
  }
}

/**
 * JITs compile after a number of calls, which takes longer on a busy machine. Returns the seconds that are
 * missing: at most two more windows, and none where those would not come near the requests. window: the
 * warm-up so far; requests: to answer.
 * @type {(window: Warmup['windows'][0], requests?: number) => number}
 */
export function secondsMissing({ seconds, requests: answered }, requests = 0) {
  if (answered * STEPS < LEAST_REQUESTS) return 0;
  const missing = (seconds * Math.max(0, requests - answered)) / answered;
  return Math.min((STEPS - 1) * seconds, Math.ceil(missing / FINE_SECONDS) * FINE_SECONDS);
}

/** @param {Warmup['windows']} windows */
function isLevel(windows) {
  const last = windows.slice(-STEPS);
  const before = windows.slice(-2 * STEPS, -STEPS);
  if (before.length < STEPS || rateOf(last) > LEVEL * rateOf(before)) return false;
  return compiling(last) <= COMPILING;
}

/** Requests a second. @type {(windows: Warmup['windows']) => number} */
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
