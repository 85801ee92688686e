/**
 * Windows that were measured seconds apart, and what lies between them: moments of the machine hit both and cancel.
 * @import { MetricId, Trial, Window } from '../types.js'
 */

import { metric } from '../samples/metrics.js';

/** @typedef {[Window, Window]} Neighbours of two servers, in the order they were asked for */

/**
 * Two servers that were alive together took turns: the first window of the one and the first of the other are neighbours,
 * the second ones, and so on, whichever of them came first. Boots that were measured one after the other are neighbours too,
 * only minutes apart; that shows in the spread. Windows that others disturbed stay: leaving them out was tried, and found
 * nothing sooner.
 * @param {Trial[]} ones
 * @param {Trial[]} others of equal rounds
 * @returns {Neighbours[][]} a list for each round that both were measured in
 */
export function neighboursOf(ones, others) {
  const beside = new Map(others.map((trial) => [trial.round, trial]));
  return ones.flatMap((trial) => {
    const other = beside.get(trial.round);
    return other ? [pairWindows(inTime(trial), inTime(other))] : [];
  });
}

/**
 * @param {Neighbours[][]} rounds
 * @param {MetricId} id
 * @returns {number[][]} differences of logarithms, the second less the first, where both measured it
 */
export function differencesOf(rounds, id) {
  const { of } = metric(id);
  const logOf = (/** @type {Window} */ window) =>
    Math.log(of({ round: 0, failure: null, windows: [window] }) ?? Number.NaN);
  return rounds.map((pairs) =>
    pairs.map(([one, other]) => logOf(other) - logOf(one)).filter(Number.isFinite),
  );
}

/** @param {Trial} trial */
function inTime({ windows }) {
  return windows.filter(({ requests }) => requests > 0).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

/**
 * @param {Window[]} ones
 * @param {Window[]} others
 * @returns {Neighbours[]}
 */
function pairWindows(ones, others) {
  return ones.flatMap((window, place) => {
    const other = others[place];
    return other ? [/** @type {Neighbours} */ ([window, other])] : [];
  });
}
