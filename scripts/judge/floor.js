/**
 * What a run of a server against itself shows: how small a change such a run finds.
 * @import { CaseComparison, Run } from '../types.js'
 */

import { foretell } from './power.js';
import { goodTrials } from './evidence.js';

/**
 * @param {CaseComparison[]} cases
 * @param {{ base: Run, head: Run, margin: number }} runs margin: a share
 * @returns {CaseComparison[]} those with boots enough tell what as many boots find
 */
export function withFloor(cases, { base, head, margin }) {
  const ids = cases.map(({ id }) => id);
  return cases.map((compared) => {
    const trials = head.cases.find(({ id }) => id === compared.id)?.trials ?? [];
    const plan = { ids, rounds: goodTrials(trials).length, margin };
    const found = foretell({ base, head }, plan).find(({ id }) => id === compared.id);
    return found ? { ...compared, findsPct: 100 * found.finds } : compared;
  });
}
