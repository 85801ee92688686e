/**
 * Cases that got slower, and the functions responsible.
 * @import { CaseComparison, Comparison } from '../types.js'
 */

import { metric } from '../samples/figures.js';

/**
 * Takes over the functions that other machines profiled, for the cases that got slower in the whole run too.
 * @param {Comparison} comparison
 * @param {Comparison[]} others of the machines
 * @returns {Comparison}
 */
export function withFunctions(comparison, others) {
  const functionsById = new Map(
    others.flatMap(({ cases }) =>
      cases.flatMap(({ id, functions, calls }) =>
        functions ? [/** @type {const} */ ([id, { functions, ...(calls && { calls }) }])] : [],
      ),
    ),
  );
  return {
    ...comparison,
    cases: comparison.cases.map((compared) => ({
      ...compared,
      ...(isSlower(compared) && functionsById.get(compared.id)),
    })),
  };
}

/** @param {CaseComparison} compared @returns {boolean} whether a speed figure got worse: functions explain neither errors nor memory */
export function isSlower({ metrics }) {
  return metrics.some(
    (change) => metric(change.metric).judged.role === 'speed' && change.verdict === 'regressed',
  );
}
