/**
 * How a boot's measured time is split. Pure.
 * @import { Case } from '../types.js'
 */

/** Long enough for every load tool, short against the minutes in which a machine's moments come and go. */
const WINDOW_SECONDS = 1;

/**
 * What the user fixed counts as it is. Who has no neighbour gains nothing by short windows; a number of requests is one run of
 * the tool, as its own user would have it.
 * @param {Case[]} group what is alive together
 * @returns {{ count: number, seconds: number }[]} of each case
 */
export function windowsOf(group) {
  return group.map(({ load }) => {
    const { windows = load.requests && 1, durationSeconds: seconds } = load;
    const count = windows ?? (group.length > 1 ? Math.max(1, Math.round(seconds / WINDOW_SECONDS)) : 1);
    return { count, seconds: seconds / count };
  });
}
