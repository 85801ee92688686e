/**
 * How long a warm-up lasts. Pure but for the load it is given.
 * @import { Warmup } from '../../types.js'
 */

import { sum } from 'd3-array';

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
/** Some servers never level off (Barrett et al., Virtual machine warmup blows hot and cold, 2017). */
const MOST_SECONDS = 60;
/** Within a budget, more boots tell more than warmer ones. */
const OF_BUDGET = 1 / 15;

/**
 * Warms up servers whose runtime compiles while they work, such as a JVM, until the throughput of all of them levels off.
 * @param {(seconds: number) => Promise<Warmup['windows']>} step loads each of them for so long; returns a window of each
 * @param {{ budgetSeconds?: number | undefined }} [bounds]
 * @returns {Promise<Warmup[]>} of each
 */
export async function warmUntilLevel(step, { budgetSeconds = Number.POSITIVE_INFINITY } = {}) {
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
 * Warms up any other server: JITs compile after a number of calls, which takes longer on a busy machine.
 * @param {() => Promise<Warmup['windows']>} step loads it; returns its window
 * @param {number} [requests] to answer, unless three steps are not enough for them
 */
export async function warmUntilAnswered(step, requests = 0) {
  for (let answered = 0, steps = 0; steps === 0 || (answered < requests && steps < STEPS); steps++)
    answered += sum(await step(), (window) => window.requests);
}

/** @param {Warmup['windows']} windows */
function isLevel(windows) {
  const last = windows.slice(-STEPS);
  const before = windows.slice(-2 * STEPS, -STEPS);
  if (before.length < STEPS) return false;
  const isRising = rateOf(last) > LEVEL * rateOf(before);
  return !isRising && compiling(last) <= COMPILING;
}

/**
 * @param {{ seconds: number, jvm?: { compileMs: number } }[]} windows
 * @returns {number} how many cores the compilers kept busy; 0 where that is unknown
 */
export function compiling(windows) {
  return sum(windows, ({ jvm }) => jvm?.compileMs ?? 0) / 1000 / sum(windows, ({ seconds }) => seconds);
}

/** @param {Warmup['windows']} windows @returns {number} requests a second */
function rateOf(windows) {
  return sum(windows, ({ requests }) => requests) / sum(windows, ({ seconds }) => seconds);
}
