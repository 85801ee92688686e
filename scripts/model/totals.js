/** Adds up the counts of what has one name. */

import { rollup, sum } from 'd3-array';

/** In the order in which names come first. @type {<N>(counted: [name: N, count: number][]) => Map<N, number>} */
export function totals(counted) {
  return rollup(
    counted,
    (alike) => sum(alike, ([, count]) => count),
    ([name]) => name,
  );
}
