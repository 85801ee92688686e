/**
 * When what is measured: the cases in rounds, their order, and how long it will take. Pure.
 * @import { Case, Config, Plan, Side, Step } from '../types.js'
 */

import { UserError } from '../model/errors.js';
import { makeOrder } from './order.js';
import { seededRandom } from './shuffle.js';

/** How long a server takes to boot where nothing is known of it. */
const BOOT_SECONDS = 0.6;
/** So many of a group boot at a time, on the two cores that the smallest runners have. */
const AT_ONCE = 2;
/** What the check of the answers, the start of the warm-up and the stop add to a boot, and what a window takes beyond its time. */
const BOOT_EXTRA_SECONDS = 0.15;
const WINDOW_EXTRA_SECONDS = 0.04;
/** What a JVM takes to be warm, as a rule. */
const LEVEL_SECONDS = 20;

/** A change is judged from so many rounds on. */
const LEAST_BUDGET_ROUNDS = 4;
/** More boots would add nothing that anybody waits for. */
const MOST_ROUNDS = 500;
/** A week of the shortest ones. */
const MOST_BOOTS = 200_000;

/**
 * @param {Config} config
 * @param {Side[]} [sides] a plain run has one
 * @returns {Plan}
 * @throws {UserError} for more boots than anybody can wait for
 */
export function makePlan(config, sides = [onlySide(config)]) {
  const { cases } = config;
  const random = seededRandom(config.seed);
  const steps = sides.flatMap((side, index) =>
    cases.flatMap((of, number) =>
      isOnSide(of, side, config.request) ? [{ side: index, case: number }] : [],
    ),
  );
  const { budgetSeconds = Number.POSITIVE_INFINITY } = config;
  const most = config.rounds ?? mostRounds(cases, steps, budgetSeconds);
  if (most * steps.length > MOST_BOOTS)
    throw new UserError(
      `rounds: ${most} rounds of ${steps.length} boots are more than ${MOST_BOOTS} boots; use fewer rounds, or fewer cases`,
    );
  const untilDecided = config.rounds === undefined;
  const order = makeOrder(cases, { steps, sides: sides.length, rounds: most, random });
  return estimated({
    title: config.title,
    sides,
    cases,
    ...(untilDecided && { untilDecided }),
    order,
    seed: config.seed,
    ...(config.budgetSeconds !== undefined && { budgetSeconds: config.budgetSeconds }),
    ...(config.maxRunning !== undefined && { maxRunning: config.maxRunning }),
  });
}

/**
 * @param {Omit<Plan, 'rounds' | 'estimateSeconds'>} plan
 * @returns {Plan} with the rounds that fit its budget, at least one, and the seconds they take
 */
export function estimated(plan) {
  const { cases, order, bootSeconds, budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  const roundSeconds = order.map((groups) => secondsOf(cases, groups.flat(), bootSeconds));
  let seconds = 0;
  const firstTooMany = roundSeconds.findIndex((round) => (seconds += round) > budgetSeconds);
  return {
    ...plan,
    rounds: firstTooMany < 0 ? order.length : Math.max(1, firstTooMany),
    estimateSeconds: Math.min(budgetSeconds, seconds),
  };
}

/**
 * @param {Plan} plan what this machine measures, with the startup times that are known
 * @throws {UserError} if its budget is less than its first round
 */
export function requireWholeRound({ cases, order, bootSeconds, budgetSeconds = Number.POSITIVE_INFINITY }) {
  const roundSeconds = Math.ceil(secondsOf(cases, order[0]?.flat() ?? [], bootSeconds));
  if (roundSeconds > budgetSeconds)
    throw new UserError(
      `budget: ${budgetSeconds}s is less than one round, which takes about ${roundSeconds}s; use at least ${LEAST_BUDGET_ROUNDS * roundSeconds}s, or fewer cases`,
    );
}

/**
 * @param {Case} of
 * @param {Side} side
 * @param {Config['request']} change with another method than the manifest's, the path alone tells the route
 * @returns {boolean}
 */
function isOnSide({ server, route, request }, { servers }, change) {
  const routes = servers[server]?.routes ?? [];
  return routes.some(({ id, path }) => (change.method === undefined ? id === route : path === request.path));
}

/**
 * As many as fit if only the shortest case were left to decide.
 * @param {Case[]} cases
 * @param {Step[]} steps
 * @param {number} budgetSeconds
 */
function mostRounds(cases, steps, budgetSeconds) {
  const shortest = Math.min(...steps.map((step) => secondsOf(cases, [step])));
  return Math.max(1, Math.min(MOST_ROUNDS, Math.ceil(budgetSeconds / shortest)));
}

/**
 * @param {Plan} plan
 * @param {Record<string, number>} bootSeconds by server's id, as earlier runs tell
 * @returns {Plan} with an estimate that rests on them
 */
export function withBoots(plan, bootSeconds) {
  return estimated({ ...plan, bootSeconds });
}

/**
 * @param {Case[]} cases
 * @param {Step[]} steps
 * @param {Record<string, number>} [bootSeconds]
 * @returns {number} what booting and loading them once takes
 */
export function secondsOf(cases, steps, bootSeconds) {
  return steps.reduce(
    (sum, step) => sum + trialSeconds(/** @type {Case} */ (cases[step.case]), bootSeconds),
    0,
  );
}

/**
 * @param {Case} of
 * @param {Record<string, number>} [bootSeconds]
 * @returns {number} an estimate, in seconds
 */
export function trialSeconds(of, bootSeconds) {
  const { load } = of;
  const cost = guessCost(of, bootSeconds);
  const windows = load.windows ?? (load.requests ? 1 : Math.max(1, Math.round(load.durationSeconds)));
  return cost.bootSeconds + load.durationSeconds + windows * (cost.windowSeconds - 1);
}

/**
 * @param {Case} of
 * @param {Record<string, number>} [known] seconds by server's id
 * @returns {{ bootSeconds: number, windowSeconds: number }} of a fresh boot with its warm-up, and of a window of one second
 */
export function guessCost({ server, load, untilLevel }, known = {}) {
  const boot = (known[server] ?? BOOT_SECONDS) / AT_ONCE + BOOT_EXTRA_SECONDS;
  const warmup = untilLevel ? LEVEL_SECONDS : load.warmupSeconds;
  return { bootSeconds: boot + warmup, windowSeconds: 1 + WINDOW_EXTRA_SECONDS };
}

/**
 * @param {Config} config
 * @returns {Side}
 */
function onlySide({ servers, reference }) {
  const all = [...(reference ? [reference] : []), ...servers];
  return { label: 'head', servers: Object.fromEntries(all.map((server) => [server.id, server])) };
}
