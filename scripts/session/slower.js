/**
 * Cases that got slower, and the functions that did so.
 * @import { CaseComparison, Comparison } from '../types.js'
 */

import { metric } from '../samples/figures.js';

/**
 * What other machines found of the same cases: of several that share a run, each profiles what got slower on it.
 * @param {Comparison} comparison
 * @param {Comparison[]} handed theirs
 * @returns {Comparison} with their functions in the cases that got slower in the whole run, too
 */
export function withFunctions(comparison, handed) {
  const found = new Map(
    handed.flatMap(({ cases }) =>
      cases.flatMap(({ id, functions, calls }) =>
        functions ? [/** @type {const} */ ([id, { functions, ...(calls && { calls }) }])] : [],
      ),
    ),
  );
  return {
    ...comparison,
    cases: comparison.cases.map((of) => ({ ...of, ...(isSlower(of) ? found.get(of.id) : undefined) })),
  };
}

/** @param {CaseComparison} of @returns {boolean} whether a figure of speed got worse: functions explain no errors, nor memory */
export function isSlower({ metrics }) {
  return metrics.some((of) => metric(of.metric).judged.role === 'speed' && of.verdict === 'regressed');
}
