/**
 * Whether a comparison fails the check.
 * @import { Comparison, Config } from '../types.js'
 */

/**
 * `unsure` as the gate is the strict one: whatever was not shown to be no worse fails.
 * @param {Comparison} comparison
 * @param {Config['failOn']} failOn
 * @returns {boolean}
 */
export function gateFails({ cases }, failOn) {
  if (failOn === 'never') return false;
  return cases.some(
    ({ verdict }) => verdict === 'regressed' || (failOn === 'unsure' && verdict === 'unsure'),
  );
}
