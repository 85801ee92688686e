/**
 * The plan of a run: its cases in rounds, and their order.
 * @import { Case, Config, Plan, Side, Step } from '../types.js'
 */

import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { estimated, shortened, trialSeconds } from './estimate.js';
import { makeOrder } from './order.js';
import { seededRandom } from './random.js';
import { serversById } from './sides.js';

/** Nobody waits for more. */
const MOST_ROUNDS = 500;
/** A week of the shortest starts. */
const MOST_STARTS = 200_000;

/**
 * @param {Config} config @param {Side[]} [sides] default: one, with the servers of the config
 * @param {Plan['besideSeconds']} [besideSeconds] seconds of a start beside its load in an earlier run, by case id
 * @returns {Plan} of all cases, whatever the shard
 * @throws {UserError} for more starts than anybody can wait for
 */
export function makePlan(config, sides = [{ label: 'head', servers: serversById(config) }], besideSeconds) {
  const { title, cases, rounds, seed, budgetSeconds, maxRunning } = config;
  const isOnSide = (/** @type {Case} */ { server, route }, /** @type {Side} */ { servers }) =>
    (servers[server]?.routes ?? []).some(({ id }) => id === route);
  const stepsOf = (/** @type {Case[]} */ some) =>
    sides.flatMap((side) =>
      some.flatMap((planned) => (isOnSide(planned, side) ? [{ side, case: planned }] : [])),
    );
  const steps = stepsOf(cases);
  // So many rounds fit if only the shortest case is left to decide.
  const shortest = Math.min(...steps.map((step) => trialSeconds(step.case)));
  const fitting = Math.min(MOST_ROUNDS, Math.ceil((budgetSeconds ?? Infinity) / shortest));
  const most = rounds ?? Math.max(1, fitting);
  if (most * steps.length > MOST_STARTS)
    throw new UserError(
      `rounds: ${most} rounds of ${steps.length} starts are more than ${MOST_STARTS} starts; use fewer rounds, or fewer cases`,
    );
  const isAdded = config.servers.every(({ id }) => id !== config.reference?.id);
  const fits = config.fits !== undefined && isAdded;
  const orderOf = (/** @type {Case[]} */ some) =>
    makeOrder(stepsOf(some), { sides: sides.length, rounds: most, random: seededRandom(seed), fits });
  const untilDecided = rounds === undefined ? /** @type {const} */ (true) : undefined;
  const planned =
    config.fits === undefined ? cases : shortened(cases, { orderOf, budgetSeconds, longest: config.fits });
  return estimated(
    defined({
      title,
      sides,
      cases: planned,
      untilDecided,
      order: orderOf(planned),
      seed,
      budgetSeconds,
      maxRunning,
      besideSeconds,
    }),
  );
}

/**
 * @param {Plan} plan @param {{ sides: Side[], cases?: Case[] }} parts sides: in the places of its own; cases: some of its own
 * @returns {Plan} the same rounds of these
 */
export function planWith(plan, { sides, cases = plan.cases }) {
  const changed = (/** @type {Step} */ step) => ({
    ...step,
    side: sides[plan.sides.indexOf(step.side)] ?? step.side,
  });
  const own = [...new Set(plan.order.flat(2))].filter((step) => cases.includes(step.case));
  const known = new Map(own.map((step) => [step, changed(step)]));
  const groupOf = (/** @type {Step[]} */ group) => group.flatMap((step) => known.get(step) ?? []);
  const order = plan.order.map((groups) => groups.map(groupOf).filter(({ length }) => length > 0));
  return { ...plan, sides, cases, order };
}
