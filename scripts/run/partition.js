/**
 * Which of a group can really be alive together. Pure.
 * @import { Case, Plan, Step } from '../types.js'
 */

/**
 * bytesOf: what a server was seen to take, 0 where that is not known yet; roomBytes: what may be taken; byTurns: ids of cases
 * that are measured by themselves.
 * @typedef {{ bytesOf: (step: Step) => number, roomBytes: number, byTurns: Set<string> }} Limits
 */

/**
 * The reference is in every part, as long as two may be alive together.
 * @param {Step[]} group
 * @param {Pick<Plan, 'cases' | 'maxRunning'>} plan
 * @param {Limits} limits
 * @returns {Step[][]} as few parts as fit, then those that are measured by themselves
 */
export function divide(
  group,
  { cases, maxRunning = Number.POSITIVE_INFINITY },
  { bytesOf, roomBytes, byTurns },
) {
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (cases[step.case]);
  const loners = group.filter((step) => byTurns.has(caseOf(step).id));
  const social = group.filter((step) => !loners.includes(step));
  const servers = social.filter((step) => !caseOf(step).reference);
  const gauges = maxRunning > 1 && servers.length > 0 ? social.filter((step) => caseOf(step).reference) : [];
  const sizeOf = (/** @type {Step[]} */ part) => part.reduce((sum, step) => sum + bytesOf(step), 0);
  /** @type {Step[][]} */
  const parts = [];
  for (const step of social.filter((each) => !gauges.includes(each))) {
    const last = parts.at(-1);
    if (last && last.length < maxRunning && sizeOf([...last, step]) <= roomBytes) last.push(step);
    else parts.push([...gauges, step]);
  }
  const whole = parts.length === 1 ? [social] : parts;
  return [...whole, ...loners.map((step) => [step])];
}
