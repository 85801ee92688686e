/**
 * The warm-up of a server that grows faster while it works, as a JVM does: until its throughput levels off. Pure but for the load
 * it is handed.
 * @import { Warmup } from '../../types.js'
 */

/** Shorter steps are noise, longer ones overshoot. */
const STEP_SECONDS = 1;
/** So many steps are set against as many before them; and at most so many are made until enough is answered. */
const STEPS = 3;
/** Unchanged servers move that much within seconds. */
const LEVEL = 1.05;
/**
 * Throughput may rest while the second compiler still works on what comes next: then its share of a core tells. With work before
 * it that is one and more; what trickles in later is less than this.
 */
const COMPILING = 0.25;
/** Some never level off (Barrett et al., Virtual machine warmup blows hot and cold, 2017). */
const MOST_SECONDS = 60;
/** Beside a budget, more boots tell more than warmer ones. */
const OF_BUDGET = 1 / 15;

/**
 * @param {(seconds: number) => Promise<Warmup['windows']>} step loads all that are warmed up together, each for so long: a window of each
 * @param {{ budgetSeconds?: number | undefined }} [bounds]
 * @returns {Promise<Warmup[]>} when all are level
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
 * What interprets at first compiles what has run often enough: on a busy machine the same number of requests takes longer.
 * @param {() => Promise<{ requests: number }>} step
 * @param {number} [requests] that are answered in the end, unless so many steps were not enough
 */
export async function warmUntilAnswered(step, requests = 0) {
  let answered = 0;
  let steps = 0;
  do {
    answered += (await step()).requests;
    steps++;
  } while (answered < requests && steps < STEPS);
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
 * @returns {number} as many cores as the compilers kept busy; 0 where nobody tells
 */
export function compiling(windows) {
  const seconds = windows.reduce((sum, window) => sum + window.seconds, 0);
  return windows.reduce((sum, { jvm }) => sum + (jvm?.compileMs ?? 0), 0) / 1000 / seconds;
}

/** @param {Warmup['windows']} windows */
function rateOf(windows) {
  const seconds = windows.reduce((sum, window) => sum + window.seconds, 0);
  return windows.reduce((sum, { requests }) => sum + requests, 0) / seconds;
}
