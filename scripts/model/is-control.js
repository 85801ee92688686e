/** @import { RunCase } from '../types.js' */

/**
 * Whether it executes the same code on both sides, and its measurement did not contradict that.
 * @param {Pick<RunCase, 'role' | 'promotedAt'>} measured
 */
export function isControl({ role, promotedAt }) {
  return role === 'control' && promotedAt === undefined;
}
