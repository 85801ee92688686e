/**
 * The steps of a round that are still to be measured. Pure.
 * @import { Failure, Plan, Step, Trial } from '../types.js'
 */

/** A second try tells a glitch from a fault; a third only costs time. */
export const TRIES = 2;

/**
 * @typedef {object} Known
 * @property {Trial[][][]} trials by side and case
 * @property {Set<string>} decided ids of cases that need no more boots
 */

/**
 * @param {number} round
 * @param {Plan} plan
 * @param {Known} known
 * @returns {Step[][]} the round's groups without cases that are decided or hopeless, and without groups that are empty then
 */
export function wantedIn(round, { order, cases, sides }, { trials, decided }) {
  const isReference = (/** @type {Step} */ step) => cases[step.case]?.reference === true;
  const trialsOf = (/** @type {Step} */ step) => trials[step.side]?.[step.case] ?? [];
  // When one side fails for good, the other is measured once, which shows whether it fails too.
  const isHopeless = (/** @type {Step} */ step) =>
    isGivenUp(trialsOf(step)) ||
    (trialsOf(step).length > 0 && sides.some((_, side) => isGivenUp(trialsOf({ ...step, side }))));
  const isWanted = (/** @type {Step} */ step) =>
    !isHopeless(step) && !decided.has(cases[step.case]?.id ?? '');
  return (order[round] ?? [])
    .map((group) => {
      const wanted = group.filter(isWanted);
      // The reference is only measured beside a server, unless it is planned alone.
      return wanted.every(isReference) && !group.every(isReference) ? [] : wanted;
    })
    .filter(({ length }) => length > 0);
}

/** @param {Trial[]} trials of one case on one side */
function isGivenUp(trials) {
  const failures = trials.flatMap(({ failure }) => failure ?? []);
  const isFinal = (/** @type {Failure} */ { kind }) =>
    kind.endsWith('-failed') ||
    // Only a server that answered correctly before gets a second try.
    (['never-ready', 'wrong-answer'].includes(kind) && failures.length === trials.length);
  return failures.length >= TRIES || failures.some(isFinal);
}

/**
 * @param {Step[]} group
 * @param {number} round
 * @param {Trial[][][]} trials by side and case
 * @returns {boolean} whether every member of the group was measured in this round
 */
export function isWhole(group, round, trials) {
  return group.every((step) => trials[step.side]?.[step.case]?.some((trial) => trial.round === round));
}

/**
 * The look that is due now: the first one not taken yet, unless the next round ends in time for it. Looks that a long round passed, or
 * that came before there were enough rounds, are taken later, one after each round: each has more data than the one before.
 * @param {number[]} shares of the budget, or of the rounds (0 to 1), ascending
 * @param {{ lastLook: number, next: number }} progress lastLook: the last share taken; next: the share used up after one more round
 * @returns {number | undefined}
 */
export function lookDue(shares, { lastLook, next }) {
  return shares.find((share) => share > lastLook && share < next);
}
