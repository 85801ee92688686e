/** Whether a server that does not answer yet is still working on it. */

import { readRunTimes, runningInGroup } from '../../system/process/proc.js';

const WINDOW_MS = 500;
/** As a share of one core. A server that waits for something else uses next to nothing. */
const WORKING = 0.25;

/**
 * @param {number} group the process group's id
 * @returns {() => boolean} to be asked again and again: whether its processes ran, or waited for a processor, for most of the
 *   last half second; on a crowded machine they mostly wait
 */
export function watchWork(group) {
  let at = performance.now();
  let seconds = secondsOf(group);
  let isWorking = false;
  return () => {
    const now = performance.now();
    if (now - at >= WINDOW_MS) {
      const next = secondsOf(group);
      isWorking = next - seconds > (WORKING * (now - at)) / 1000;
      at = now;
      seconds = next;
    }
    return isWorking;
  };
}

/** @param {number} group */
function secondsOf(group) {
  return runningInGroup(group).reduce((sum, pid) => sum + readRunTimes(pid), 0);
}
