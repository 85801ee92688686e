/** @import { CaseComparison, Comparison } from '../types.js' */

import { metric } from '../samples/figures.js';

/**
 * Takes over the functions that other machines profiled, for the cases that got slower in the whole run too.
 * @param {Comparison} comparison
 * @param {Comparison[]} others of the machines
 * @returns {Comparison}
 */
export function withFunctions(comparison, others) {
  const profiled = others.flatMap(({ cases }) => cases).filter(({ functions }) => functions);
  const byId = new Map(
    profiled.map(({ id, functions, calls }) => [id, { functions, ...(calls && { calls }) }]),
  );
  const cases = comparison.cases.map((compared) => ({
    ...compared,
    ...(isSlower(compared) && byId.get(compared.id)),
  }));
  return { ...comparison, cases: /** @type {CaseComparison[]} */ (cases) };
}

/** @param {CaseComparison} compared @returns {boolean} whether a speed figure got worse: functions explain neither errors nor memory */
export function isSlower({ metrics }) {
  return metrics.some(
    (change) => metric(change.metric).judged.role === 'speed' && change.verdict === 'regressed',
  );
}
