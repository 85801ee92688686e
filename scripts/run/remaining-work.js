/**
 * What of a plan's rounds is still to be measured, by what was measured so far. Pure.
 * @import { Failure, Plan, Step, Trial } from '../types.js'
 */

/** A case that failed this often is given up: a second try tells a hiccup from a fault, a third only costs time. */
export const TRIES = 2;

/** trials: by side and case; decided: ids of cases that need no more boots. @typedef {{ trials: Trial[][][], decided: Set<string> }} Known */

/**
 * @param {number} round
 * @param {Plan} plan
 * @param {Known} known
 * @returns {Step[][]} what is alive together, without what is decided or hopeless, and without groups of which nothing is left
 */
export function wantedIn(round, { order, cases, sides }, { trials, decided }) {
  const isReference = (/** @type {Step} */ step) => cases[step.case]?.reference === true;
  const trialsOf = (/** @type {Step} */ step) => trials[step.side]?.[step.case] ?? [];
  /** What one side cannot do is compared no more: the other's shows with one boot whether it can. @param {Step} step */
  const isHopeless = (step) =>
    isGivenUp(trialsOf(step)) ||
    (trialsOf(step).length > 0 && sides.some((_, side) => isGivenUp(trialsOf({ ...step, side }))));
  const isWanted = (/** @type {Step} */ step) =>
    !isHopeless(step) && !decided.has(cases[step.case]?.id ?? '');
  return (order[round] ?? [])
    .map((group) => {
      const wanted = group.filter(isWanted);
      // The reference is only measured beside something.
      return wanted.every(isReference) && !group.every(isReference) ? [] : wanted;
    })
    .filter(({ length }) => length > 0);
}

/** @param {Trial[]} trials */
function isGivenUp(trials) {
  const failures = trials.flatMap((trial) => trial.failure ?? []);
  // Who has never answered, or never rightly, is not waited for again.
  const isHopeless = (/** @type {Failure} */ { kind }) =>
    kind.endsWith('-failed') ||
    (['never-ready', 'wrong-answer'].includes(kind) && failures.length === trials.length);
  return failures.length >= TRIES || failures.some(isHopeless);
}

/**
 * @param {Step[]} group
 * @param {number} round
 * @param {Trial[][][]} trials by side and case
 * @returns {boolean} whether all of the group was measured in this round
 */
export function isWhole(group, round, trials) {
  return group.every((step) => trials[step.side]?.[step.case]?.some((trial) => trial.round === round));
}

/**
 * The look due after a round: the first one not taken yet, unless the next round ends in time for it. Looks that came before
 * there were rounds enough, or that a long round passed, are caught up one a round: each has more to go by than the one before.
 * @param {number[]} looks shares (0 to 1) of the budget, or of the rounds
 * @param {{ seen: number, next: number }} at seen: the last look taken; next: the share used up after one more round
 * @returns {number | undefined}
 */
export function lookDue(looks, { seen, next }) {
  return looks.find((look) => look > seen && look < next);
}
