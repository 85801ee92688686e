/**
 * What boots and windows take here, learned while measuring.
 * @import { Case } from '../types.js'
 */

/**
 * bootSeconds: of a fresh boot with its check, its warm-up and its stop; windowSeconds: of a window of one second.
 * @typedef {{ bootSeconds: number, windowSeconds: number }} Cost
 * @typedef {{ boots: number, bootSeconds: number, windows: number, extraSeconds: number }} Sums
 */

/**
 * @param {(of: Case) => Cost} guess what is expected of a case before any was measured
 */
export function startCosts(guess) {
  /** @type {Map<string, Sums>} */
  const known = new Map();
  /** @param {Case} of @returns {Cost} */
  const costOf = (of) => {
    const sums = known.get(of.id);
    const expected = guess(of);
    return {
      bootSeconds: sums ? sums.bootSeconds / sums.boots : expected.bootSeconds,
      windowSeconds: sums?.windows ? 1 + sums.extraSeconds / sums.windows : expected.windowSeconds,
    };
  };
  return {
    costOf,
    /**
     * @param {Case} of
     * @param {{ bootSeconds: number, windows: { seconds: number }[], windowSeconds: number }} spent windowSeconds: on all of them
     */
    note(of, { bootSeconds, windows, windowSeconds }) {
      const sums = known.get(of.id) ?? { boots: 0, bootSeconds: 0, windows: 0, extraSeconds: 0 };
      const loaded = windows.reduce((sum, { seconds }) => sum + seconds, 0);
      known.set(of.id, {
        boots: sums.boots + 1,
        bootSeconds: sums.bootSeconds + bootSeconds,
        windows: sums.windows + windows.length,
        extraSeconds: sums.extraSeconds + Math.max(0, windowSeconds - loaded),
      });
    },
    /**
     * @param {Case} of
     * @param {{ count: number, seconds: number } | undefined} windows
     * @returns {number} seconds that a boot with these windows will take
     */
    secondsOf(of, { count, seconds } = { count: 0, seconds: 0 }) {
      const { bootSeconds, windowSeconds } = costOf(of);
      return bootSeconds + count * (seconds + windowSeconds - 1);
    },
  };
}
