/**
 * How a boot's measured time is split. Pure.
 * @import { Case } from '../types.js'
 */

/** Long enough for every load tool, and much shorter than a moment of the machine. */
const WINDOW_SECONDS = 1;

/**
 * A server that runs alone has no neighbours to compare with, so its time stays whole. A number of requests is one run of the tool.
 * @param {Case[]} group what runs at the same time
 * @returns {{ count: number, seconds: number }[]} of each case
 */
export function windowsOf(group) {
  const split = (/** @type {number} */ seconds) =>
    group.length > 1 ? Math.max(1, Math.round(seconds / WINDOW_SECONDS)) : 1;
  return group.map(({ load }) => {
    const count = load.windows ?? (load.requests ? 1 : split(load.durationSeconds));
    return { count, seconds: load.durationSeconds / count };
  });
}
