/** Adds up the counts of what has one name. */

import { rollup, sum } from 'd3-array';

/** Names in their order. @type {<N>(counted: [name: N, count: number][]) => Map<N, number>} */
export function totals(counted) {
  return rollup(
    counted,
    (alike) => sum(alike, ([, count]) => count),
    ([name]) => name,
  );
}
