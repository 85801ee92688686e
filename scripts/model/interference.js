/**
 * How much other programs disturbed a window.
 * @import { Window } from '../types.js'
 */

/**
 * A window is disturbed above this share of the machine: a tenth of two cores is a fifth of a Node server's one, more than any
 * difference worth reporting.
 */
export const DISTURBED = 0.1;

/**
 * @param {Window} window
 * @returns {number} the share of the machine, 0 to 1, that other processes and other machines took; 0 where not measured
 */
export function othersShare({ cpu }) {
  return (cpu?.foreignShare ?? 0) + (cpu?.stealShare ?? 0);
}
