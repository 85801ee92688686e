/**
 * What this machine is to do of what was asked for.
 * @import { Config, Plan, Side } from '../types.js'
 */

import { makePlan, withBoots } from '../plan/plan.js';
import { shardCount, shardPlan } from '../plan/shard.js';

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @param {Record<string, number>} [bootSeconds] by server's id
 * @returns {Plan} of this machine, where several measure
 */
export function planOf(config, sides, bootSeconds = {}) {
  const plan = makePlan(config, sides);
  return withBoots(config.shard ? shardPlan(plan, config.shard) : plan, bootSeconds);
}

/**
 * Nothing relevant changed; or machines were asked for before it was known how little a change can matter to.
 * @param {Config} config
 * @param {Config} asked
 * @param {Side[]} sides
 */
export function hasNothingToDo({ shard, ...config }, asked, sides) {
  if (config.servers.length === 0) return true;
  if (!shard || config.servers.length === asked.servers.length) return false;
  return shard.index > shardCount(makePlan(config, sides), shard.of);
}

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @returns {string[]} ids of what all machines together measure
 */
export function casesOf({ shard: _part, ...config }, sides) {
  return config.servers.length === 0 ? [] : makePlan(config, sides).cases.map(({ id }) => id);
}
