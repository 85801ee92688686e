/**
 * How long a boot of each case takes, with its check, warm-up, windows and stop: learned while measuring.
 * @import { Case } from '../types.js'
 */

import { mean } from 'd3-array';

/**
 * @param {(measured: Case) => number} guess the seconds to expect before any boot of the case was measured
 */
export function startDurations(guess) {
  /** @type {Map<string, number[]>} */
  const known = new Map();
  return {
    /** @param {Case} measured @param {number} seconds that a boot took */
    note({ id }, seconds) {
      known.set(id, [...(known.get(id) ?? []), seconds]);
    },
    /** @param {Case} measured @returns {number} seconds that its next boot will take */
    secondsOf(measured) {
      return mean(known.get(measured.id) ?? []) ?? guess(measured);
    },
  };
}
