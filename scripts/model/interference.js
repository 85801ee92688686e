/**
 * What a window suffered from others on the machine.
 * @import { Window } from '../types.js'
 */

/**
 * From this share of the machine on, a window counts as disturbed: a tenth of two cores is a fifth of the one that a
 * Node server runs on, more than any difference worth reporting.
 */
export const DISTURBED = 0.1;

/**
 * @param {Window} window
 * @returns {number} the share of the machine, 0 to 1, that other processes and other machines took; 0 where not measured
 */
export function othersShare({ cpu }) {
  return (cpu?.foreignShare ?? 0) + (cpu?.stealShare ?? 0);
}
