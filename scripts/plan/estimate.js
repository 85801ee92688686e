/**
 * How long a plan takes.
 * @import { Case, Plan, Step } from '../types.js'
 */

import { cumsum, sum } from 'd3-array';
import { UserError } from '../model/errors.js';

/** Seconds that a server's start, its checks and its stop take, where no earlier run shows it. */
const START_SECONDS = 0.7;
/** Beside the load of a window. */
const WINDOW_EXTRA_SECONDS = 0.1;
/** Of a warm-up that lasts until enough requests are answered, as a server of fewer than 5,000 a second takes. */
const LONGER_WARM_UP = 3;
/** Of a load that ends after a number of requests. */
const REQUESTS_A_SECOND = 6000;
/** The usual warm-up of a JVM. */
const LEVEL_SECONDS = 20;
/** Of a start, as in a comparison. */
const LEAST_WINDOW_SECONDS = 2;
/** An earlier run may have taken so many times as long as the machine needs without other programs. */
const BUSY = 3;
/** A change is judged from this many rounds on. */
const LEAST_ROUNDS = 4;

/**
 * @param {Omit<Plan, 'rounds' | 'estimateSeconds'>} plan
 * @returns {Plan} with the rounds that fit its budget, at least one, and the seconds they take
 */
export function estimated(plan) {
  const { order, besideSeconds, budgetSeconds = Infinity } = plan;
  const ends = cumsum(order, (groups) => stepSeconds(groups, besideSeconds));
  const firstTooMany = ends.findIndex((end) => end > budgetSeconds);
  return {
    ...plan,
    rounds: firstTooMany < 0 ? order.length : Math.max(1, firstTooMany),
    estimateSeconds: Math.min(budgetSeconds, ends.at(-1) ?? 0),
  };
}

/**
 * Start times of earlier runs do not count: an interrupted run goes on with the same windows.
 * @param {Case[]} cases
 * @param {{ orderOf: (cases: Case[]) => Plan['order'], budgetSeconds: number | undefined, longest: number }} plan longest: the duration
 *   that nobody fixed
 * @returns {Case[]} in whole seconds as long as every round fits in the budget; as short as may be if none do
 */
export function shortened(cases, { orderOf, budgetSeconds = Infinity, longest }) {
  for (let durationSeconds = longest; ; durationSeconds--) {
    const shorter = cases.map((planned) => {
      const warmupSeconds = Math.min(planned.load.warmupSeconds, Math.max(1, durationSeconds / 4));
      const load = { ...planned.load, durationSeconds, warmupSeconds };
      const { requests, windows = requests } = planned.load;
      return windows === undefined && planned.load.durationSeconds === longest
        ? { ...planned, load }
        : planned;
    });
    const seconds = sum(orderOf(shorter), (groups) => stepSeconds(groups));
    if (seconds <= budgetSeconds || durationSeconds <= LEAST_WINDOW_SECONDS)
      return durationSeconds === longest ? cases : shorter;
  }
}

/**
 * @param {Plan} plan what this machine measures, with the startup times that are known
 * @throws {UserError} if its budget is less than its first round
 */
export function requireWholeRound(plan) {
  const { order, besideSeconds, budgetSeconds = Infinity } = plan;
  const [first = []] = order;
  // A warm-up may need no more than its first step.
  const least = sum(first.flat(), (step) => trialSeconds({ ...step.case, warmupRequests: 0 }));
  const round = Math.ceil(stepSeconds(first, besideSeconds));
  if (Math.max(least, round / BUSY) > budgetSeconds)
    throw new UserError(
      `budget: ${budgetSeconds}s is less than one round, which takes about ${round}s; use at least ${LEAST_ROUNDS * round}s, or fewer cases`,
    );
}

/**
 * @param {Plan} plan
 * @returns {string | undefined} a line, where a budget ends a comparison before it can decide anything
 */
export function shortBudget(plan) {
  const { order, sides, rounds, besideSeconds, budgetSeconds, untilDecided } = plan;
  const isMeant = sides.length > 1 && (untilDecided || order.length >= LEAST_ROUNDS);
  if (!isMeant || budgetSeconds === undefined || rounds >= LEAST_ROUNDS) return undefined;
  const needed = Math.ceil(LEAST_ROUNDS * stepSeconds(order[0] ?? [], besideSeconds));
  return `budget: ${budgetSeconds}s is enough for about ${rounds} of the ${LEAST_ROUNDS} rounds that the first verdict takes; use at least ${needed}s, or fewer routes`;
}

/** @param {Step[][]} groups @param {Plan['besideSeconds']} [besideSeconds] @returns {number} seconds to measure each member once */
function stepSeconds(groups, besideSeconds) {
  return sum(groups.flat(), (step) => trialSeconds(step.case, besideSeconds));
}

/** @param {Case} planned @param {Plan['besideSeconds']} [besideSeconds] @returns {number} seconds of a start, its warm-up and windows */
export function trialSeconds({ id, load, untilLevel, warmupRequests }, besideSeconds) {
  const warmup = untilLevel ? LEVEL_SECONDS : load.warmupSeconds * (warmupRequests ? LONGER_WARM_UP : 1);
  const windows = load.windows ?? (load.requests ? 1 : Math.max(1, Math.round(load.durationSeconds)));
  const beside = besideSeconds?.[id] ?? START_SECONDS + warmup + windows * WINDOW_EXTRA_SECONDS;
  return beside + loadSeconds(load);
}

/** @param {Case['load']} load @returns {number} of one start */
export function loadSeconds({ durationSeconds, requests = Infinity }) {
  return Math.min(durationSeconds, requests / REQUESTS_A_SECOND);
}
