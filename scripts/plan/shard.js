/**
 * The part of a plan that one of several machines measures. Pure: every machine deals alike.
 * @import { Case, Plan } from '../types.js'
 */

import { UserError } from '../errors.js';
import { secondsOf, trialSeconds } from './plan.js';

/**
 * @param {Plan} plan
 * @param {{ index: number, of: number }} shard index: from 1
 * @returns {Plan} its cases in the plan's order, the reference's always among them; every side stays whole, so that what
 *   is compared was measured on one machine
 * @throws {UserError} where there are fewer cases than shards
 */
export function shardPlan(plan, { index, of }) {
  const hands = deal(plan.cases, of);
  const hand = hands[index - 1];
  if (!hand || hand.length === 0) {
    const last = hands.filter(({ length }) => length > 0).length;
    throw new UserError(
      `--shard: ${index}/${of} has nothing to measure; the cases fill ${last}: ask for ${last} shards`,
    );
  }
  const cases = plan.cases.filter((each) => each.reference || hand.includes(each));
  const order = plan.order.map((round) =>
    round
      .map(({ side, case: place }) => ({
        side,
        case: cases.indexOf(/** @type {Case} */ (plan.cases[place])),
      }))
      .filter((step) => step.case >= 0),
  );
  const booted = new Set(cases.map(({ server }) => server));
  const sides = plan.sides.map((side) => ({
    ...side,
    servers: Object.fromEntries(Object.entries(side.servers).filter(([id]) => booted.has(id))),
  }));
  const { budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  return {
    ...plan,
    sides,
    cases,
    order,
    estimateSeconds: Math.min(budgetSeconds, secondsOf(cases, order.flat())),
    shard: { index, of, cases: plan.cases.map(({ id }) => id) },
  };
}

/**
 * @param {Plan} plan
 * @param {number} asked
 * @returns {number} no more than there are cases to deal
 */
export function shardCount({ cases }, asked) {
  return Math.min(asked, dealt(cases).length);
}

/**
 * The longest first, each to whoever has the least so far (Graham, Bounds on multiprocessing timing anomalies, 1969).
 * @param {Case[]} cases
 * @param {number} of
 * @returns {Case[][]}
 */
function deal(cases, of) {
  /** @type {{ hand: Case[], seconds: number }[]} */
  const players = Array.from({ length: of }, () => ({ hand: [], seconds: 0 }));
  for (const next of dealt(cases).toSorted((a, b) => trialSeconds(b) - trialSeconds(a))) {
    const least = players.reduce((best, player) => (player.seconds < best.seconds ? player : best));
    least.hand.push(next);
    least.seconds += trialSeconds(next);
  }
  return players.map(({ hand }) => hand);
}

/**
 * The reference goes to everybody, unless it is all there is.
 * @param {Case[]} cases
 */
function dealt(cases) {
  const others = cases.filter(({ reference }) => !reference);
  return others.length > 0 ? others : cases;
}
