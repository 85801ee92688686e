/**
 * The part of a plan that one of several machines measures. Every machine distributes alike.
 * @import { Case, Config, Plan, Side } from '../types.js'
 */

import { least, sum } from 'd3-array';
import { UserError } from '../model/errors.js';
import { makePlan, planWith } from './plan.js';
import { sharing } from './roles.js';
import { requireWholeRound, timed, trialSeconds } from './timetable.js';

/**
 * Plans this machine. besideSeconds: seconds of a start beside its load in an earlier run, by case id.
 * @type {(config: Config, sides: Side[], besideSeconds?: Record<string, number>) => Plan}
 * @throws {UserError} for more starts than anybody can wait for, a budget below a round, or an idle shard
 */
export function planOf(config, sides, besideSeconds = {}) {
  const whole = makePlan(config, sides, besideSeconds);
  const plan = sharing(config.shard ? shardPlan(whole, config.shard) : whole);
  requireWholeRound(plan);
  return plan;
}

/**
 * The shard's cases and the reference's, in the plan's order. Every side is there, so that what is compared
 * was measured on one machine. index: from 1.
 * @type {(plan: Plan, shard: { index: number, of: number }) => Plan}
 * @throws {UserError} if there are fewer cases than shards
 */
export function shardPlan(plan, { index, of: count }) {
  const shards = distribute(plan, count);
  const own = shards[index - 1] ?? [];
  if (own.length === 0) {
    const last = shards.filter(({ length }) => length > 0).length;
    throw new UserError(`--shard: ${index}/${count} has nothing to measure; use at most ${last} shards`);
  }
  const cases = plan.cases.filter((planned) => planned.reference || own.includes(planned));
  const sides = plan.sides.map((side) => {
    const used = Object.entries(side.servers).filter(([id]) => cases.some(({ server }) => server === id));
    return { ...side, servers: Object.fromEntries(used) };
  });
  const measuredOnce = new Set(shards.flat());
  const ids = plan.cases.filter((planned) => measuredOnce.has(planned)).map(({ id }) => id);
  const shard = { index, of: count, cases: ids };
  return timed(planWith({ ...plan, shard }, { sides, cases }));
}

/** How many shards have something to measure. @type {(plan: Plan, asked: number) => number} */
export function shardCount(plan, asked) {
  return Math.min(asked, distributed(plan).length);
}

/**
 * Longest first, each to the least busy shard (Graham, Bounds on multiprocessing timing anomalies, 1969).
 * @type {(plan: Plan, count: number) => Case[][]}
 */
function distribute(plan, count) {
  const shards = Array.from({ length: count }, () => /** @type {Case[]} */ ([]));
  for (const planned of distributed(plan).toSorted((a, b) => trialSeconds(b) - trialSeconds(a)))
    least(shards, (cases) => sum(cases, (each) => trialSeconds(each)))?.push(planned);
  return shards;
}

/** Each machine measures the reference; if it is alone, it is distributed. @type {(plan: Plan) => Case[]} */
function distributed({ cases }) {
  const others = cases.filter(({ reference }) => !reference);
  return others.length > 0 ? others : cases;
}
