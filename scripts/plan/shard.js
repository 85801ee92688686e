/**
 * The part of a plan that one of several machines measures. Pure: every machine deals alike.
 * @import { Case, Config, Plan, Side } from '../types.js'
 */

import { UserError } from '../model/errors.js';
import { estimated, makePlan, requireWholeRound, trialSeconds, withBoots } from './plan.js';
import { plainId } from '../catalog/versions.js';

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @param {Record<string, number>} [bootSeconds] by server's id
 * @returns {Plan} of this machine, where several measure
 * @throws {UserError} for more boots than anybody can wait for, for a budget of less than a round, or a shard without work
 */
export function planOf(config, sides, bootSeconds = {}) {
  const whole = makePlan(config, sides);
  const plan = withBoots(config.shard ? shardPlan(whole, config.shard) : whole, bootSeconds);
  requireWholeRound(plan);
  return plan;
}

/**
 * @param {Plan} plan
 * @param {{ index: number, of: number }} shard index: from 1
 * @returns {Plan} its cases in the plan's order, the reference's always among them; every side stays whole, so that what
 *   is compared was measured on one machine
 * @throws {UserError} where there is less to deal than there are shards
 */
export function shardPlan(plan, { index, of }) {
  const hands = deal(plan, of);
  const hand = hands[index - 1];
  if (!hand || hand.length === 0) {
    const last = hands.filter(({ length }) => length > 0).length;
    throw new UserError(`--shard: ${index}/${of} has nothing to measure; use at most ${last} shards`);
  }
  const cases = plan.cases.filter((each) => each.reference || hand.includes(each));
  const order = plan.order.map((round) =>
    round
      .map((group) =>
        group
          .map(({ side, case: place }) => ({
            side,
            case: cases.indexOf(/** @type {Case} */ (plan.cases[place])),
          }))
          .filter((step) => step.case >= 0),
      )
      .filter(({ length }) => length > 0),
  );
  const booted = new Set(cases.map(({ server }) => server));
  const sides = plan.sides.map((side) => ({
    ...side,
    servers: Object.fromEntries(Object.entries(side.servers).filter(([id]) => booted.has(id))),
  }));
  return estimated({
    ...plan,
    sides,
    cases,
    order,
    shard: { index, of, cases: plan.cases.map(({ id }) => id) },
  });
}

/**
 * @param {Plan} plan
 * @param {number} asked
 * @returns {number} no more than there is to deal
 */
export function shardCount(plan, asked) {
  return Math.min(asked, bundles(plan).length);
}

/**
 * The longest first, each to whoever has the least so far (Graham, Bounds on multiprocessing timing anomalies, 1969).
 * @param {Plan} plan
 * @param {number} of
 * @returns {Case[][]}
 */
function deal(plan, of) {
  /** @type {{ hand: Case[], seconds: number }[]} */
  const players = Array.from({ length: of }, () => ({ hand: [], seconds: 0 }));
  for (const next of bundles(plan).toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
    const least = players.reduce((best, player) => (player.seconds < best.seconds ? player : best));
    least.hand.push(...next);
    least.seconds += lengthOf(next);
  }
  return players.map(({ hand }) => hand);
}

/** @param {Case[]} cases */
function lengthOf(cases) {
  return cases.reduce((seconds, of) => seconds + trialSeconds(of), 0);
}

/**
 * What goes to one machine: a case alone, but the versions of one server together, as they are set against each other.
 * The reference goes to everybody, unless it is all there is.
 * @param {Plan} plan
 * @returns {Case[][]}
 */
function bundles({ cases, sides }) {
  const others = cases.filter(({ reference }) => !reference);
  /** @param {Case} of */
  const nameOf = ({ id, server }) => {
    const found = sides.flatMap(({ servers }) => servers[server] ?? [])[0];
    return found ? `${plainId(found)}${id.slice(server.length)}` : id;
  };
  /** @type {Map<string, Case[]>} */
  const named = new Map();
  for (const of of others.length > 0 ? others : cases) {
    named.set(nameOf(of), [...(named.get(nameOf(of)) ?? []), of]);
  }
  return [...named.values()];
}
