/** Runs in which nothing was measured, since no change could matter. @import { Run } from '../types.js' */

/** The code of the warning that says so. */
export const SKIPPED = 'skipped';

/**
 * Whether it was skipped, or cancelled before its first start.
 * @type {(run: Pick<Run, 'cases'>) => boolean}
 */
export function isEmpty({ cases }) {
  return cases.every(({ trials }) => trials.length === 0);
}

/**
 * @param {Pick<Run, 'cases' | 'warnings'>} run
 * @returns {boolean} whether it was meant to measure nothing, which a run that failed was not
 */
export function isSkipped({ cases, warnings = [] }) {
  return cases.length === 0 && warnings.some(({ code }) => code === SKIPPED);
}
