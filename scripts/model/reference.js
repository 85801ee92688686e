/** @import { Case } from '../types.js' */

import { conditionsOf, DIMENSIONS } from './dimensions.js';

/**
 * Finds the case of the reference that shows how fast the machine was for another case. The reference makes no script's requests.
 * @template {Pick<Case, 'reference' | 'route' | 'instances' | 'load'>} C
 * @param {C} measured @param {C[]} cases of the same run
 * @returns {C | undefined} the reference under the same load, on the same route where it has that
 */
export function referenceOf(measured, cases) {
  const own = conditionsOf(measured);
  const isAlike = (/** @type {C} */ other) => {
    const conditions = conditionsOf(other);
    return DIMENSIONS.every(({ field }) => field === 'script' || conditions[field] === own[field]);
  };
  const alike = cases.filter((each) => each.reference && isAlike(each));
  return alike.find(({ route }) => route === measured.route) ?? alike[0];
}
