/**
 * How long a boot is worth measuring before a fresh one tells more.
 * @import { Run, RunCase } from '../types.js'
 */

import { SPEEDS } from '../metrics.js';
import { goodTrials } from './evidence.js';
import { locate } from './location.js';
import { LEAST_ROUNDS } from './looks.js';
import { differencesOf, neighboursOf } from './neighbours.js';

/** Fewer leave no neighbours in balance; more cost rounds, and with them the sureness of how far rounds scatter. */
export const LEAST = 2;
export const MOST = 6;

/**
 * The classical optimum of two-stage sampling: windows a boot grow with the root of what a boot costs and of how much more
 * the windows scatter than the boots.
 * Source: W. G. Cochran, Sampling Techniques, 3rd ed. (1977), 10.6.
 * @param {{ base: Run, head: Run }} runs so far, of one session
 * @param {(of: RunCase) => { bootSeconds: number, windowSeconds: number }} costOf of one fresh boot with its warm-up, and of
 *   one window
 * @returns {Map<string, number>} windows a boot, an even number, by case; of those with rounds enough to tell
 */
export function windowsPerBoot({ base, head }, costOf) {
  const cases = head.cases.flatMap((of) => {
    const { id, trials } = of;
    const other = base.cases.find((each) => each.id === id);
    const rounds = neighboursOf(goodTrials(other?.trials ?? []), goodTrials(trials));
    const found = SPEEDS.map(({ id: speed }) => locate(differencesOf(rounds, speed))).find(
      (location) => location !== undefined,
    );
    if (!found || found.rounds < LEAST_ROUNDS || found.window === 0) return [];
    const { bootSeconds, windowSeconds } = costOf(of);
    const ratio = found.boot > 0 ? found.window / found.boot : Number.POSITIVE_INFINITY;
    const best = ratio * Math.sqrt(bootSeconds / windowSeconds);
    return [/** @type {[string, number]} */ ([id, 2 * Math.round(clamp(best) / 2)])];
  });
  return new Map(cases);
}

/** @param {number} windows */
function clamp(windows) {
  return Math.min(MOST, Math.max(LEAST, windows));
}
