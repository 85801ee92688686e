/**
 * Which cases a limit applies to.
 * @import { Case, LimitRule } from '../types.js'
 */

/**
 * A rate is no feat where it was asked for, so a throughput without a rate is of cases without one.
 * @template {Pick<Case, 'server' | 'route' | 'load' | 'reference'>} C
 * @param {LimitRule} rule @param {C[]} cases of a run
 * @returns {C[]} without the reference, unless the rule names it or it is all there is
 */
export function limitedCases({ metric, rate, server, route }, cases) {
  const isAllReference = cases.every(({ reference }) => reference);
  return cases.filter(
    (measured) =>
      (server === undefined ? isAllReference || !measured.reference : isNamed(measured.server, server)) &&
      [undefined, measured.route].includes(route) &&
      (rate === undefined
        ? metric !== 'throughput' || measured.load.rate === undefined
        : measured.load.rate === rate),
  );
}

/**
 * @param {string} id
 * @param {string | undefined} name the id, or what stands before the version of its runtime: "shop" of "shop@node24"; undefined: any
 */
export function isNamed(id, name) {
  return name === undefined || id === name || id.startsWith(`${name}@`);
}
