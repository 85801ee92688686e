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
 * @param {Map<string, number>} [chosen] windows of a boot, by case id, where they are not the user's
 * @returns {{ count: number, seconds: number }[]} a case each, the same number for all whose loads say the same
 */
export function windowsOf(group, chosen = new Map()) {
  const most = Math.max(0, ...group.map(({ id, load }) => (load.adaptive && chosen.get(id)) || 0));
  return group.map(({ load }) => {
    const { windows = load.requests && 1, durationSeconds, adaptive } = load;
    const seconds = adaptive && most > 0 ? most * WINDOW_SECONDS : durationSeconds;
    const count = windows ?? (group.length > 1 ? Math.max(1, Math.round(seconds / WINDOW_SECONDS)) : 1);
    return { count, seconds: seconds / count };
  });
}
