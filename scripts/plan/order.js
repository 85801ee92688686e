/**
 * What is alive together in each round, and in which order it is visited. Pure.
 * @import { Case, Step } from '../types.js'
 */

import { shuffle } from './shuffle.js';

/** With two sides the reference only shows the run's noise, and every boot of it costs one of theirs. */
const REFERENCE_EVERY = 8;

/**
 * Every group is visited forwards in one round and backwards in the next, so that no member goes first more often.
 * @param {Case[]} cases
 * @param {{ steps: Step[], sides: number, rounds: number, random: () => number }} options steps: what there is to measure
 * @returns {Step[][][]} by round, then by group
 */
export function makeOrder(cases, { steps, sides, rounds, random }) {
  const groups =
    sides > 1 ? byCase(steps) : isSingle(cases, steps) ? byRoute(cases, steps) : byLoad(cases, steps);
  const isReference = (/** @type {Step} */ step) => cases[step.case]?.reference === true;
  const thins = sides > 1 && !steps.every(isReference);
  let visited = groups;
  return Array.from({ length: rounds }, (_, round) => {
    visited = visited.map((group) => (round % 2 === 0 ? shuffle(group, random) : group.toReversed()));
    const due = visited.filter(
      (group) => !thins || round % REFERENCE_EVERY === 0 || !group.every(isReference),
    );
    return shuffle(due, random);
  });
}

/**
 * @param {Step[]} steps
 * @returns {Step[][]} the sides of each case
 */
function byCase(steps) {
  return grouped(steps, (step) => step.case);
}

/**
 * @param {Case[]} cases
 * @param {Step[]} steps of one side
 * @returns {boolean} whether there is nothing to compare a server with but itself under other loads
 */
function isSingle(cases, steps) {
  const all = steps.flatMap((step) => cases[step.case] ?? []);
  const own = all.some(({ reference }) => !reference) ? all.filter(({ reference }) => !reference) : all;
  return new Set(own.map(({ server }) => server)).size === 1 && new Set(own.map(loadId)).size > 1;
}

/**
 * The loads of each route, the reference's beside them.
 * @param {Case[]} cases
 * @param {Step[]} steps of one side
 * @returns {Step[][]}
 */
function byRoute(cases, steps) {
  const isReference = (/** @type {Step} */ step) => cases[step.case]?.reference === true;
  const own = steps.every(isReference) ? steps : steps.filter((step) => !isReference(step));
  const gauges = steps.filter((step) => !own.includes(step));
  return grouped(own, (step) => cases[step.case]?.route).map((group) => [...gauges, ...group]);
}

/**
 * The servers under one load, each on its first route, then each on its second; the reference's case that is nearest to
 * that is in every group.
 * @param {Case[]} cases
 * @param {Step[]} steps of one side
 * @returns {Step[][]}
 */
function byLoad(cases, steps) {
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (cases[step.case]);
  return grouped(steps, (step) => loadId(caseOf(step))).flatMap((all) => {
    const gauges = all.filter((step) => caseOf(step).reference);
    const routes = grouped(
      all.filter((step) => !caseOf(step).reference),
      (step) => caseOf(step).server,
    );
    const most = Math.max(gauges.length, ...routes.map(({ length }) => length));
    return Array.from({ length: most }, (_, place) => [
      ...((gauges[place] ?? gauges[0]) ? [/** @type {Step} */ (gauges[place] ?? gauges[0])] : []),
      ...routes.flatMap((own) => own[place] ?? []),
    ]);
  });
}

/**
 * @param {Case} of
 * @returns {string} what its id says of the load
 */
function loadId({ id, server, route }) {
  return id.slice(`${server} ${route}`.length);
}

/**
 * @template K
 * @param {Step[]} steps
 * @param {(step: Step) => K} keyOf
 * @returns {Step[][]} those of one key together, in the order of their first
 */
function grouped(steps, keyOf) {
  return [...new Set(steps.map(keyOf))].map((key) => steps.filter((step) => keyOf(step) === key));
}
