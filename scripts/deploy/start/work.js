/** Recognizes a server that does not answer yet, but is still working. */

import { readRunTimes, runningInGroup } from '../../system/process/proc.js';

const WINDOW_MS = 500;
/** Share of one core. A server that waits uses almost nothing. */
const WORKING = 0.25;

/**
 * @param {number} group the process group's id
 * @returns {() => boolean} called repeatedly: whether its processes ran, or waited for a processor, in the last half second; on a
 *   crowded machine they mostly wait
 */
export function watchWork(group) {
  let time = performance.now();
  let seconds = secondsOf(group);
  let isWorking = false;
  return () => {
    const now = performance.now();
    if (now - time >= WINDOW_MS) {
      const next = secondsOf(group);
      isWorking = next - seconds > (WORKING * (now - time)) / 1000;
      time = now;
      seconds = next;
    }
    return isWorking;
  };
}

/** @param {number} group */
function secondsOf(group) {
  return runningInGroup(group).reduce((sum, pid) => sum + readRunTimes(pid), 0);
}
