/** @import { Case, RunCase, Step } from '../types.js' */

/**
 * Whether it executes the same code on both sides, and its measurement did not contradict that.
 * @param {Pick<RunCase, 'role' | 'promotedAt'>} measured
 */
export function isControl({ role, promotedAt }) {
  return role === 'control' && promotedAt === undefined;
}

/** @param {Step} step */
export function isReference(step) {
  return step.case.reference === true;
}

/** Whether nobody waits for its verdict. @param {Case} planned */
export function isBeside(planned) {
  return planned.reference || isControl(planned);
}

/** Whether it shares the starts of its server. @param {Case} planned */
export function rides({ counted, sharedSeconds }) {
  return counted || sharedSeconds !== undefined;
}

/** Equal for cases that one start can serve. @param {Case} planned */
export function startOf({ server, instances, manager, proxy, load }) {
  return JSON.stringify([server, instances, manager, proxy, load.host]);
}
