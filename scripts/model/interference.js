/** How much other programs disturbed a window. @import { Trial, Window } from '../types.js' */

/** A larger share of the machine disturbs: on two cores, a fifth of the one core that a Node server uses. */
export const DISTURBED = 0.1;

/**
 * The share of the machine, 0 to 1, that other processes and other machines took; 0 where not measured.
 * @type {(window: Window) => number}
 */
export function othersShare({ cpu }) {
  return (cpu?.foreignShare ?? 0) + (cpu?.stealShare ?? 0);
}

/** Whether other programs took more in most windows. @type {(trials: Trial[], share?: number) => boolean} */
export function areDisturbed(trials, share = DISTURBED) {
  const windows = trials.flatMap((trial) => trial.windows);
  return 2 * windows.filter((window) => othersShare(window) > share).length > windows.length;
}
