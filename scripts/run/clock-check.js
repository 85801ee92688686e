/** Checks a load tool's reported duration against a monotonic clock: the system clock can be set at any moment. Pure. */

/** As a share of a window: less changes no verdict, and tools round. */
const SLACK = 0.02;

/**
 * A tool that starts slowly or pauses after its load takes longer than it reports. None takes less, and none stops early.
 * @param {{ reported: number, asked: number, took: number }} seconds of a window: as the tool reports them, as they were asked for, and
 *   by a monotonic clock
 * @returns {boolean} whether the report can be true
 */
export function agrees({ reported, asked, took }) {
  const least = Math.min(asked, took);
  return reported >= least * (1 - SLACK) && reported <= took * (1 + SLACK);
}
