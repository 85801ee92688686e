/**
 * Divides a group into parts whose members can run at the same time. Pure.
 * @import { Case, Plan, Step } from '../types.js'
 */

import { sum } from 'd3-array';

/**
 * The reference is in every part, if two servers may run at the same time.
 * @param {Step[]} group
 * @param {Pick<Plan, 'cases' | 'maxRunning'>} plan
 * @param {{ bytesOf: (step: Step) => number, roomBytes: number, byTurns: Set<string> }} limits bytesOf: the memory a server was seen to
 *   use, 0 where that is not known yet; roomBytes: what servers may use together; byTurns: ids of cases that are measured separately
 * @returns {Step[][]} as few parts as fit, then one for each member that is measured separately
 */
export function divide(group, { cases, maxRunning = Infinity }, { bytesOf, roomBytes, byTurns }) {
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (cases[step.case]);
  const separate = group.filter((step) => byTurns.has(caseOf(step).id));
  const together = group.filter((step) => !separate.includes(step));
  const hasServers = together.some((step) => !caseOf(step).reference);
  const references = maxRunning > 1 && hasServers ? together.filter((step) => caseOf(step).reference) : [];
  /** @type {Step[][]} */
  const parts = [];
  for (const step of together.filter((member) => !references.includes(member))) {
    const last = parts.at(-1);
    if (last && last.length < maxRunning && sum([...last, step], bytesOf) <= roomBytes) last.push(step);
    else parts.push([...references, step]);
  }
  // One part keeps the order of the group.
  return [...(parts.length === 1 ? [together] : parts), ...separate.map((step) => [step])];
}
