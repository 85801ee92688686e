/**
 * How often a server starts in a round. Speed is often decided after four rounds, and four starts a side show a change of the startup only
 * where it is large; so in the first rounds of a comparison each side starts more often, and the last start is measured. Pure.
 * @import { Plan, Step } from '../types.js'
 */

/** Eleven pairs of starts that count find 5 % where starts scatter by 3 %; they take some four seconds. */
const ROUNDS = 4;
const STARTS = 3;
/** A server that takes longer to stop and start does not start again: no comparison takes minutes longer for this. */
export const QUICK_MS = 1000;

/** @param {Step} step @param {number} round from 0 @param {Pick<Plan, 'sides' | 'cases'>} plan @returns {number} at most */
export function startsOf(step, round, { sides, cases }) {
  const planned = cases[step.case];
  const isFirst = cases.findIndex(({ server }) => server === planned?.server) === step.case;
  return sides.length > 1 && isFirst && !planned?.reference && round < ROUNDS ? STARTS : 1;
}
