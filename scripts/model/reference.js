/** @import { Case } from '../types.js' */

import { conditionsOf, DIMENSIONS } from './dimensions.js';

/** @typedef {Pick<Case, 'reference' | 'route' | 'instances' | 'load'>} Loaded */

/**
 * Finds the case of the reference, of the same run, that shows how fast the machine was for another case:
 * under the same load, on the same route if it has that route.
 * @type {<C extends Loaded>(measured: C, cases: C[]) => C | undefined}
 */
export function referenceOf(measured, cases) {
  const alike = cases.filter((each) => each.reference && isAlike(each, measured));
  return alike.find(({ route }) => route === measured.route) ?? alike[0];
}

/**
 * The reference makes no script's requests, and takes its own time. Returns whether both have the same load
 * otherwise.
 * @type {(reference: Loaded, measured: Loaded) => boolean}
 */
export function isAlike(reference, measured) {
  const [one, other] = [conditionsOf(reference), conditionsOf(measured)];
  return DIMENSIONS.every(({ field }) => field === 'script' || one[field] === other[field]);
}
