/** Whether a load tool's clock went as time did: it may read the system's, which somebody can set at any moment. Pure. */

/** As a share of a window: less moves no verdict, and tools round. */
const SLACK = 0.02;

/**
 * A tool that rests after its load, or starts slowly, takes longer than it says; none takes less, and none stops early.
 * @param {{ told: number, asked: number, took: number }} seconds told: by the tool, of its window; took: by a monotonic clock
 * @returns {boolean}
 */
export function agrees({ told, asked, took }) {
  const least = Math.min(asked, took);
  return told >= least * (1 - SLACK) && told <= took * (1 + SLACK);
}
