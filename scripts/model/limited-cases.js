/** Which cases a limit applies to. @import { Case, LimitRule } from '../types.js' */

/**
 * A fixed rate is not a result, so a throughput limit without `at` applies only to cases without a rate.
 * @template {Pick<Case, 'server' | 'route' | 'load' | 'reference'>} C
 * @param {LimitRule} rule
 * @param {C[]} cases of a run
 * @returns {C[]} without the reference, unless the rule names it or it is all there is
 */
export function limitedCases({ metric, rate, server, route }, cases) {
  const isAllReference = cases.every(({ reference }) => reference);
  return cases.filter(
    (measured) =>
      (server === undefined ? isAllReference || !measured.reference : measured.server === server) &&
      [undefined, measured.route].includes(route) &&
      (rate === undefined
        ? metric !== 'throughput' || measured.load.rate === undefined
        : measured.load.rate === rate),
  );
}
