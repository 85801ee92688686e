/**
 * The timetable: what the settings, the cases and the budget make of a run's time. Pure. Its constants, and
 * their reasons, stand in model/times.js.
 * @import { Case, Config, Plan, Side, Step } from '../types.js'
 */

import { cumsum, least, max, sum } from 'd3-array';
import { RUNTIMES } from '../deploy/runtimes.js';
import { defined } from '../model/defined.js';
import { isBeside, isControl, rides, startOf } from '../model/is-control.js';
import { UserError } from '../model/errors.js';
import * as times from '../model/times.js';

/** Of an experiment that lasts as long as it says. */
export const UNFITTED = { budgetSeconds: undefined, free: undefined };

/**
 * What somebody set stays. Of the rest, a comparison with a budget decides itself how many rounds it
 * measures, and a run that is compared with nothing is fitted into its budget.
 * @param {Config} config
 * @returns {Pick<Plan, 'cases' | 'budgetSeconds' | 'untilDecided' | 'roundsBy' | 'explains'> &
 *   { fits?: number }}
 *   budgetSeconds: Infinity without one; fits: the duration that may be shorter
 */
export function timesAsked(config) {
  const { against, baseline, budgetSeconds = Infinity, explain, free = {}, limits } = config;
  const isBounded = Number.isFinite(budgetSeconds);
  const isCompared = (against ?? baseline) !== undefined;
  const untilDecided = isBounded && isCompared && free.rounds ? true : undefined;
  const byDefault = limits ? 'limits' : 'default';
  const isFitted = isBounded && !isCompared && free.warmupSeconds !== undefined;
  return {
    cases: withWarmUps(config),
    budgetSeconds,
    untilDecided,
    roundsBy: untilDecided ? 'verdict' : free.rounds ? byDefault : 'set',
    explains: isBounded && against !== undefined && against !== 'self' ? explain : undefined,
    fits: isFitted ? free.durationSeconds : undefined,
  };
}

/**
 * Where nobody fixed the warm-up, servers whose runtime compiles while it works warm up until they are level,
 * and are then measured for longer if nobody fixed that either; others that are started often, and so warmed
 * up shortly, until they have answered enough.
 * @type {(config: Config) => Case[]}
 */
function withWarmUps({ cases, servers, reference, against, free = {} }) {
  const all = [reference ?? [], servers].flat();
  const compiling = all.filter(({ runtime }) => RUNTIMES[runtime]?.compiles).map(({ id }) => id);
  return cases.map((each) => {
    const { warmupSeconds, durationSeconds, windows, requests } = each.load;
    if (warmupSeconds !== free.warmupSeconds) return each;
    // A stored run has a duration of its own.
    const isOwn = against === undefined || durationSeconds !== free.durationSeconds;
    const isFree = !isOwn && (windows ?? requests) === undefined;
    if (!compiling.includes(each.server))
      return isFree ? { ...each, warmupRequests: times.WARMUP_REQUESTS } : each;
    const load = isFree ? { ...each.load, durationSeconds: times.GROWN_SECONDS } : each.load;
    return { ...each, load, untilLevel: true };
  });
}

/**
 * As many rounds as fit if only the shortest case is left to decide.
 * @type {(steps: Step[], asked: Pick<Plan, 'budgetSeconds' | 'untilDecided'> & { rounds: number }) => number}
 * @throws {UserError} for more starts than anybody can wait for
 */
export function roundsToPlan(steps, { rounds, budgetSeconds, untilDecided }) {
  const shortest = Math.min(...steps.map((step) => trialSeconds(step.case)));
  const fitting = Math.min(times.MOST_PLANNED, Math.ceil(budgetSeconds / shortest));
  const most = untilDecided ? Math.max(1, fitting) : rounds;
  if (most * steps.length <= times.MOST_STARTS) return most;
  throw new UserError(
    `rounds: ${most} rounds of ${steps.length} starts are more than ${times.MOST_STARTS} starts; use fewer rounds, or fewer cases`,
  );
}

/**
 * Start times of earlier runs do not count: an interrupted run goes on with the same windows.
 * @param {Case[]} cases
 * @param {{ orderOf: (cases: Case[]) => Plan['order'], budgetSeconds: number, fits: number }} plan
 * @returns {Case[]} in whole seconds as long as every round fits in the budget; as short as may be if none do
 */
export function shortened(cases, { orderOf, budgetSeconds, fits }) {
  for (let durationSeconds = fits; ; durationSeconds--) {
    const shorter = cases.map((planned) => {
      const warmupSeconds = Math.min(planned.load.warmupSeconds, Math.max(1, durationSeconds / 4));
      const load = { ...planned.load, durationSeconds, warmupSeconds };
      const { requests, windows = requests } = planned.load;
      return windows === undefined && planned.load.durationSeconds === fits ? { ...planned, load } : planned;
    });
    const seconds = sum(orderOf(shorter), (groups) => secondsOf(groups));
    if (seconds <= budgetSeconds || durationSeconds <= times.LEAST_DURATION_SECONDS)
      return durationSeconds === fits ? cases : shorter;
  }
}

/**
 * With the rounds that fit its budget, at least one, their seconds, and what the budget leaves to all else.
 * @type {(plan: Omit<Plan, 'rounds' | 'estimateSeconds' | 'timetable'>) => Plan}
 */
export function timed(plan) {
  const { cases, order, besideSeconds, budgetSeconds } = plan;
  const [first = []] = order;
  const ends = cumsum(order, (groups) => secondsOf(groups, besideSeconds));
  const firstTooMany = ends.findIndex((end) => end > budgetSeconds);
  const share = budgetSeconds * times.OF_BUDGET;
  const full = first.flat().filter((step) => !isControl(step.case));
  const longest = Math.min(times.LONGEST_WINDOW_SECONDS, share / Math.max(1, full.length));
  const longestWindowSeconds = Number.isFinite(budgetSeconds) ? longest : 0;
  return {
    ...plan,
    rounds: firstTooMany < 0 ? order.length : Math.max(1, firstTooMany),
    estimateSeconds: Math.min(budgetSeconds, ends.at(-1) ?? 0),
    timetable: {
      roundSeconds: secondsOf(first, besideSeconds),
      windows: Object.fromEntries(cases.map((each) => [each.id, windowsOf(each, { longestWindowSeconds })])),
      mostControlsSeconds: controlsSeconds(plan),
      longestWindowSeconds,
      longestWarmUpSeconds: share,
      mostReservedSeconds: budgetSeconds * times.MOST_RESERVED,
      explainSeconds: plan.explains ? explainSecondsOf(plan) : 0,
    },
  };
}

/** Of all controls. @param {Pick<Plan, 'cases' | 'budgetSeconds'>} plan */
export function controlsSeconds({ cases, budgetSeconds }) {
  return cases.every(isBeside) ? times.CONTROLS_ALONE_SECONDS : budgetSeconds * times.CONTROL_SHARE;
}

/**
 * How long a case that shares its starts is loaded on each side, so that the rounds fit into the seconds.
 * @type {(cases: Case[], room: typeof times.SHARED_LOAD & { seconds: number, starts: number }) => number}
 */
export function sharedSecondsOf({ length }, { seconds, rounds, starts, least, most }) {
  const each = ((seconds / rounds - starts) / length - times.WINDOW_EXTRA_SECONDS) / 2;
  return Math.max(least, Math.min(most, each));
}

/** Of both sides, with their warm-ups. @param {Case[]} cases */
export function startSeconds(cases) {
  const warmups = max(cases, ({ load }) => load.warmupSeconds) ?? 0;
  return 2 * (times.START_SECONDS + warmups) * new Set(cases.map(startOf)).size;
}

/**
 * A round takes so long at least: a warm-up may need no more than its first step.
 * @type {(profiled: Case, plan: Pick<Plan, 'sides' | 'besideSeconds'>) => number}
 */
export function profiledSeconds(profiled, { sides, besideSeconds }) {
  return sides.length * trialSeconds({ ...profiled, warmupRequests: 0 }, besideSeconds);
}

/**
 * Whichever case gets slower; 0 where a share of the budget is too short for each.
 * @type {(plan: Pick<Plan, 'cases' | 'sides' | 'besideSeconds' | 'budgetSeconds'>) => number}
 */
function explainSecondsOf({ cases, sides, besideSeconds, budgetSeconds }) {
  const most = budgetSeconds * times.OF_EXPLAINING;
  const rounds = cases.flatMap((each) => {
    const { profiled, leastRounds = 0 } = asProfiled(each, sides);
    if (!profiled || each.reference) return [];
    const seconds = profiledSeconds(profiled, { sides, besideSeconds });
    return seconds * leastRounds <= most ? [seconds] : [];
  });
  return Math.min(most, times.PROFILED_ROUNDS * (max(rounds) ?? 0));
}

/**
 * Neither where no profiler knows the runtime of all sides.
 * @type {(planned: Case, sides: Side[]) => { profiled?: Case, leastRounds?: number }}
 */
export function asProfiled(planned, sides) {
  const runtimes = new Set(sides.map(({ servers }) => servers[planned.server]?.runtime ?? ''));
  const [known, ...others] = [...runtimes].map((runtime) => times.PROFILED.get(runtime));
  if (!known || others.length > 0) return {};
  const load = { ...planned.load, ...known.load, windows: 1 };
  return {
    profiled: defined({ ...planned, role: undefined, untilLevel: undefined, sharedSeconds: undefined, load }),
    leastRounds: known.leastRounds,
  };
}

/**
 * A server that runs alone has no neighbours to compare with, so its time stays whole. A number of requests
 * is one run of the tool.
 * @param {Pick<Case, 'load' | 'role' | 'promotedAt' | 'sharedSeconds'>} planned
 * @param {{ longestWindowSeconds?: number, isAlone?: boolean }} [context]
 * @returns {{ count: number, seconds: number, mostSeconds: number }} mostSeconds: that one window may last:
 *   the whole duration, or more within a budget, unless the user has set the windows
 */
export function windowsOf(planned, { longestWindowSeconds = 0, isAlone = false } = {}) {
  const { load, sharedSeconds } = planned;
  const { durationSeconds, requests, windows } = load;
  if (sharedSeconds)
    return { count: 1, seconds: sharedSeconds, mostSeconds: isControl(planned) ? 0 : longestWindowSeconds };
  const split = isAlone || requests ? 1 : Math.max(1, Math.round(durationSeconds / times.WINDOW_SECONDS));
  const count = windows ?? split;
  const isFixed = (requests ?? windows) !== undefined;
  const mostSeconds = isFixed ? 0 : Math.max(durationSeconds, longestWindowSeconds);
  return { count, seconds: durationSeconds / count, mostSeconds };
}

/** Throws a UserError if this machine's first round exceeds the budget. @type {(plan: Plan) => void} */
export function requireWholeRound(plan) {
  const { budgetSeconds } = plan;
  const groups = leastRound(plan);
  // A warm-up may need no more than its first step.
  const shortest = sum(groups.flat(), (step) => trialSeconds({ ...step.case, warmupRequests: 0 }));
  const round = Math.ceil(secondsOf(groups, plan.besideSeconds));
  if (Math.max(shortest, round / times.BUSY) > budgetSeconds)
    throw new UserError(
      `budget: ${budgetSeconds}s is less than one round, which takes about ${round}s; use at least ${times.LEAST_ROUNDS * round}s, or fewer cases`,
    );
}

/** A line, where a budget ends before anything can be decided. @type {(plan: Plan) => string | undefined} */
export function shortBudget(plan) {
  const { order, sides, budgetSeconds, untilDecided } = plan;
  const seconds = secondsOf(leastRound(plan), plan.besideSeconds);
  const rounds = Math.max(1, Math.min(order.length, Math.floor(budgetSeconds / seconds)));
  const isMeant = sides.length > 1 && (untilDecided || order.length >= times.LEAST_ROUNDS);
  if (!isMeant || !Number.isFinite(budgetSeconds) || rounds >= times.LEAST_ROUNDS) return undefined;
  const needed = Math.ceil(times.LEAST_ROUNDS * seconds);
  return `budget: ${budgetSeconds}s is enough for about ${rounds} of the ${times.LEAST_ROUNDS} rounds that the first verdict takes; use at least ${needed}s, or fewer routes`;
}

/** Of the first one, the groups that are certain: all others may become controls. @param {Plan} plan */
function leastRound({ order: [first = []], isScouted, besideSeconds }) {
  const shortest = least(first, (members) => secondsOf([members], besideSeconds));
  return isScouted && shortest ? [shortest] : first;
}

/** Measures each member once. @type {(groups: Step[][], besideSeconds?: Plan['besideSeconds']) => number} */
function secondsOf(groups, besideSeconds) {
  const shared = groups.filter((members) => members.every((step) => rides(step.case)));
  const starts = sum(shared, (members) => startSeconds(members.map((step) => step.case)));
  return starts + sum(groups.flat(), (step) => trialSeconds(step.case, besideSeconds));
}

/** Start, warm-up and windows. @type {(planned: Case, besideSeconds?: Plan['besideSeconds']) => number} */
export function trialSeconds({ id, load, untilLevel, warmupRequests, sharedSeconds }, besideSeconds) {
  if (sharedSeconds) return sharedSeconds + times.WINDOW_EXTRA_SECONDS;
  const usual = load.warmupSeconds * (warmupRequests ? times.LONGER_WARM_UP : 1);
  const warmup = untilLevel ? times.LEVEL_SECONDS : usual;
  const beside = times.START_SECONDS + warmup + windowsOf({ load }).count * times.WINDOW_EXTRA_SECONDS;
  return (besideSeconds?.[id] ?? beside) + loadSeconds(load);
}

/** Of one start. @type {(load: Case['load']) => number} */
export function loadSeconds({ durationSeconds, requests = Infinity }) {
  return Math.min(durationSeconds, requests / times.REQUESTS_A_SECOND);
}
