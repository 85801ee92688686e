/**
 * What a run of a server against itself shows: how small a change such a run finds.
 * @import { CaseComparison, Run } from '../types.js'
 */

import { foretell } from './power.js';
import { goodTrials } from './relation.js';

/**
 * @param {CaseComparison[]} cases
 * @param {Run} head
 * @param {number} margin a share
 * @returns {CaseComparison[]} those with boots enough tell what as many boots find
 */
export function withFloor(cases, head, margin) {
  const ids = cases.map(({ id }) => id);
  const boots = new Map(head.cases.map((of) => [of.id, of]));
  return cases.map((compared) => {
    const of = boots.get(compared.id);
    const plan = { ids, rounds: goodTrials(of?.trials ?? []).length, margin };
    const [foretold] = of ? foretell({ ...head, cases: [of] }, plan) : [];
    return foretold ? { ...compared, findsPct: 100 * foretold.finds } : compared;
  });
}
