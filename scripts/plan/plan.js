/**
 * The plan of a run: its cases in rounds, and their order.
 * @import { Case, Config, Plan, Side, Step } from '../types.js'
 */

import { makeOrder } from './order.js';
import { seededRandom } from './random.js';
import { serversById } from './side-servers.js';
import { roundsToPlan, shortened, timed, timesAsked } from './timetable.js';

/**
 * Plans all cases, whatever the shard. besideSeconds: of a start beside its load in an earlier run, by case.
 * @type {(config: Config, sides?: Side[], besideSeconds?: Plan['besideSeconds']) => Plan}
 * @throws {import('../model/errors.js').UserError} for more starts than anybody can wait for
 */
export function makePlan(config, sides = [{ label: 'head', servers: serversById(config) }], besideSeconds) {
  const { title, seed, maxRunning, rounds } = config;
  const { cases, fits, ...times } = timesAsked(config);
  const isOnSide = (/** @type {Step} */ { side, case: { server, route } }) =>
    side.servers[server]?.routes.some(({ id }) => id === route);
  const stepsOf = (/** @type {Case[]} */ some) =>
    sides.flatMap((side) => some.map((planned) => ({ side, case: planned }))).filter(isOnSide);
  const most = roundsToPlan(stepsOf(cases), { rounds, ...times });
  const isAdded = config.servers.every(({ id }) => id !== config.reference?.id);
  const options = { sides: sides.length, rounds: most, fits: fits !== undefined && isAdded };
  const orderOf = (/** @type {Case[]} */ some) =>
    makeOrder(stepsOf(some), { ...options, random: seededRandom(seed) });
  const planned = fits === undefined ? cases : shortened(cases, { ...times, orderOf, fits });
  if (planned !== cases) times.roundsBy = 'fitted';
  const order = orderOf(planned);
  const isNode = sides.every(({ servers }) =>
    Object.values(servers).some(({ runtime }) => runtime === 'node'),
  );
  // By coverage, of Node alone; one tree measured twice shows noise.
  const isCompared = config.controls && sides.length > 1 && config.against !== 'self';
  const isScouted = isCompared ? isNode : undefined;
  return timed({ title, sides, cases: planned, order, seed, ...times, maxRunning, besideSeconds, isScouted });
}

/** As it is printed, with each step as the places of its side and its case. @param {Plan} plan */
export function placedPlan(plan) {
  const placed = (/** @type {Step} */ step) => {
    return { side: plan.sides.indexOf(step.side), case: plan.cases.indexOf(step.case) };
  };
  return { ...plan, order: plan.order.map((groups) => groups.map((group) => group.map(placed))) };
}

/**
 * The same rounds of these. sides: in the places of its own; cases: some of its own.
 * @type {(plan: Plan, parts: { sides: Side[], cases?: Case[] }) => Plan}
 */
export function planWith(plan, { sides, cases = plan.cases }) {
  const sideOf = (/** @type {Side} */ side) => sides[plan.sides.indexOf(side)] ?? side;
  const own = [...new Set(plan.order.flat(2))].filter((step) => cases.includes(step.case));
  const known = new Map(own.map((step) => [step, { ...step, side: sideOf(step.side) }]));
  const groupOf = (/** @type {Step[]} */ group) => group.flatMap((step) => known.get(step) ?? []);
  const order = plan.order.map((groups) => groups.map(groupOf).filter(({ length }) => length > 0));
  return { ...plan, sides, cases, order };
}
