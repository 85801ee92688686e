/**
 * How long the windows of a slow server are: a second holds too few of its answers.
 * @import { ServerRun } from './server-run.js'
 */

import { groups, max } from 'd3-array';
import { LAST_ANSWERS_SECONDS } from '../load/request.js';

/** Of a window, at least its connections: with fewer, its end decides a percent of the figures and more. */
export const ANSWERS = 100;
/** A window lasts so many times as long as an answer, which may take longer under load. */
export const ANSWER_TIMES = 2;

/**
 * Sets the length of the next windows: enough answers at the last rate, and at least twice the fastest answer
 * to the check. The sides of a comparison have windows of one length. secondsLeft: for all servers.
 * @type {(servers: ServerRun[], secondsLeft: number) => void}
 */
export function lengthenWindows(servers, secondsLeft) {
  const longest = Math.floor(secondsLeft / servers.length - LAST_ANSWERS_SECONDS);
  for (const [, alike] of groups(servers, ({ step }) => step.case.id)) {
    const needed = max(alike, secondsNeeded) ?? 0;
    const least = max(alike, ({ answerSeconds }) => ANSWER_TIMES * answerSeconds) ?? 0;
    for (const serverRun of alike) {
      const { seconds, mostSeconds } = serverRun.windows;
      const enough = Math.max(least, Math.min(needed, Math.floor(mostSeconds)));
      const wanted = mostSeconds === 0 || enough <= seconds ? 0 : Math.ceil(enough);
      serverRun.windowSeconds = Math.max(seconds, Math.min(wanted, longest));
    }
  }
}

/** 0 before it was loaded. @type {(serverRun: ServerRun) => number} */
function secondsNeeded({ queue, step: { case: planned } }) {
  const { connections, pipelining, rate = Infinity } = planned.load;
  const atOnce = connections * pipelining;
  const answers = Math.max(ANSWERS, atOnce);
  return queue ? Math.max((answers * queue.mostSeconds) / atOnce, answers / rate) : 0;
}

/** What its windows have not used yet of the planned seconds. @type {(serverRun: ServerRun) => number} */
export function secondsDue({ windows, loadedSeconds }) {
  return windows.count * windows.seconds - loadedSeconds;
}
