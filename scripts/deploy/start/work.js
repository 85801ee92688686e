import { readRunTimes, runningInGroup } from '../../system/process/proc.js';

const WINDOW_MS = 500;
/** Share of one core. A server that waits uses almost nothing. */
const WORKING = 0.25;

/**
 * Recognizes a server that does not answer yet, but is still working.
 * @param {number} group the process group's id
 * @param {() => number} now
 * @returns {() => boolean} called repeatedly: whether its processes ran, or waited for a processor, in the last half second; on a
 *   crowded machine they mostly wait
 */
export function watchWork(group, now) {
  const readSeconds = () => runningInGroup(group).reduce((sum, pid) => sum + readRunTimes(pid), 0);
  let time = now();
  let seconds = readSeconds();
  let isWorking = false;
  return () => {
    const passedMs = now() - time;
    if (passedMs >= WINDOW_MS) {
      const next = readSeconds();
      isWorking = next - seconds > (WORKING * passedMs) / 1000;
      time += passedMs;
      seconds = next;
    }
    return isWorking;
  };
}
