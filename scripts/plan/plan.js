/**
 * The plan of a run: its cases in rounds, and their order.
 * @import { Case, Config, Plan, Side } from '../types.js'
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
  const steps = sides.flatMap((side, place) =>
    cases.flatMap((planned, index) => (isOnSide(planned, side) ? [{ side: place, case: index }] : [])),
  );
  // So many rounds fit if only the shortest case is left to decide.
  const shortest = Math.min(...steps.map((step) => trialSeconds(/** @type {Case} */ (cases[step.case]))));
  const fitting = Math.min(MOST_ROUNDS, Math.ceil((budgetSeconds ?? Infinity) / shortest));
  const most = rounds ?? Math.max(1, fitting);
  if (most * steps.length > MOST_STARTS)
    throw new UserError(
      `rounds: ${most} rounds of ${steps.length} starts are more than ${MOST_STARTS} starts; use fewer rounds, or fewer cases`,
    );
  const isAdded = config.servers.every(({ id }) => id !== config.reference?.id);
  const fits = config.fits !== undefined && isAdded;
  const options = { steps, sides: sides.length, rounds: most, random: seededRandom(seed), fits };
  const untilDecided = rounds === undefined ? /** @type {const} */ (true) : undefined;
  const order = makeOrder(cases, options);
  const planned =
    config.fits === undefined ? cases : shortened(cases, { order, budgetSeconds, longest: config.fits });
  return estimated(
    defined({
      title,
      sides,
      cases: planned,
      untilDecided,
      order,
      seed,
      budgetSeconds,
      maxRunning,
      besideSeconds,
    }),
  );
}
