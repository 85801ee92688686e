/** Which servers run together in each round, and in which order. @import { Case, Step } from '../types.js' */

import { group, shuffler } from 'd3-array';
import { isReference, startOf } from '../model/is-control.js';
import { REFERENCE_EVERY, REFERENCE_SHARE } from '../model/times.js';

/**
 * Each group is reversed in every other round, so that no member is the first more often.
 * @param {Step[]} steps what there is to measure
 * @param {{ sides: number, rounds: number, random: () => number, fits?: boolean }} options fits: the
 *   reference is measured in some of the groups
 * @returns {Step[][][]} by round, then by group
 */
export function makeOrder(steps, { sides, rounds, random, fits }) {
  const skipsReference = sides > 1 && !steps.every(isReference);
  const shuffle = shuffler(random);
  let order = groupsOf(steps, sides);
  const all = Array.from({ length: rounds }, (_, round) => {
    order = order.map((group) => (round % 2 === 0 ? shuffle([...group]) : group.toReversed()));
    const hasReference = !skipsReference || round % REFERENCE_EVERY === Math.min(REFERENCE_EVERY, rounds) - 1;
    return shuffle(order.filter((group) => hasReference || !group.every(isReference)));
  });
  return fits && !steps.every(isReference) ? withRareReference(all) : all;
}

/** The first group has one, since the budget may end after it. @param {Step[][][]} order */
function withRareReference(order) {
  let [measured, references] = [0, 0];
  return order.map((groups) =>
    groups.map((group) => {
      const others = group.filter((step) => !isReference(step));
      const all = references + group.length - others.length;
      const isDue = references === 0 || all <= REFERENCE_SHARE * (all + measured);
      measured += others.length;
      if (isDue) references = all;
      return isDue ? group : others;
    }),
  );
}

/** What runs together. @type {(steps: Step[], sides: number) => Step[][]} */
function groupsOf(steps, sides) {
  const isCounted = steps.every((step) => step.case.counted);
  if (isCounted || sides > 1)
    return [...group(steps, (step) => (isCounted ? startOf(step.case) : step.case)).values()];
  const servers = steps.filter((step) => !isReference(step));
  const own = servers.length > 0 ? servers : steps;
  const references = steps.filter((step) => !own.includes(step));
  const isOneServer = new Set(own.map((step) => step.case.server)).size === 1;
  // A single server can only be compared with itself under other loads.
  if (isOneServer && new Set(own.map((step) => loadId(step.case))).size > 1)
    return [...group(own, (step) => step.case.route).values()].map((of) => [...references, ...of]);
  return [...group(steps, (step) => loadId(step.case)).values()].flatMap(byRoute);
}

/**
 * Groups steps of one load: the first route of every server, then the second of every server, and so on; with
 * the reference's route of that place, or its first.
 * @type {(steps: Step[]) => Step[][]}
 */
function byRoute(steps) {
  const references = steps.filter(isReference);
  const others = steps.filter((step) => !isReference(step));
  const servers = [...group(others, (step) => step.case.server).values()];
  const most = Math.max(references.length, ...servers.map(({ length }) => length));
  return Array.from({ length: most }, (_, place) => {
    const reference = references[place] ?? references[0];
    return [...(reference ? [reference] : []), ...servers.flatMap((routes) => routes[place] ?? [])];
  });
}

/** What its id says about the load. @type {(planned: Case) => string} */
function loadId({ id, server, route }) {
  return id.slice(`${server} ${route}`.length);
}
