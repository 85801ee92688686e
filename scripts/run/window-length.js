/**
 * How long the windows of a slow server are: a second holds too few of its answers.
 * @import { ServerRun } from './server-run.js'
 */

import { groups, max, sort } from 'd3-array';
import { LAST_ANSWERS_SECONDS } from '../load/request.js';

/** Of a window, and no fewer than its connections: with fewer, the end of the window decides a percent of the figures and more. */
export const ANSWERS = 100;
/** A window lasts so many times as long as an answer, which may take longer under load. */
const ANSWER_TIMES = 2;
const SLOW_SECONDS = 1;

/**
 * Sets the length of the next windows: enough answers at the rate of the last warm-up or window, and at least twice the fastest answer
 * to the check. The sides of a comparison have windows of one length.
 * @param {ServerRun[]} servers that are loaded next @param {number} secondsLeft for all of them
 */
export function lengthenWindows(servers, secondsLeft) {
  const longest = Math.floor(secondsLeft / servers.length - LAST_ANSWERS_SECONDS);
  for (const [, alike] of groups(servers, ({ step }) => step.case.id)) {
    const needed = Math.ceil(max(alike, secondsNeeded) ?? 0);
    const least = Math.ceil(max(alike, ({ answerSeconds }) => ANSWER_TIMES * answerSeconds) ?? 0);
    for (const serverRun of alike) {
      const { seconds, mostSeconds } = serverRun.windows;
      const wanted = mostSeconds === 0 ? 0 : Math.max(least, Math.min(needed, Math.floor(mostSeconds)));
      serverRun.windowSeconds = Math.max(seconds, Math.min(wanted, longest));
    }
  }
}

/** @param {ServerRun[]} servers @returns {ServerRun[]} in the same order, but those last that leave the next one a queue of seconds */
export function slowLast(servers) {
  return sort(servers, ({ answerSeconds }) => (answerSeconds < SLOW_SECONDS ? 0 : answerSeconds));
}

/** @param {ServerRun} serverRun @returns {number} 0 before it was loaded */
function secondsNeeded({ queue, step: { case: planned } }) {
  const { connections, pipelining, rate = Infinity } = planned.load;
  const atOnce = connections * pipelining;
  const answers = Math.max(ANSWERS, atOnce);
  return queue ? Math.max((answers * queue.mostSeconds) / atOnce, answers / rate) : 0;
}

/** @param {ServerRun} serverRun @returns {number} that its windows have not used yet of the planned seconds */
export function secondsDue({ windows, loadedSeconds }) {
  return windows.count * windows.seconds - loadedSeconds;
}
