/**
 * How long a boot is worth measuring before a fresh one tells more.
 * @import { Run, RunCase } from '../types.js'
 * @import { Location } from './mean-estimate.js'
 */

import { SPEEDS } from '../samples/metrics.js';
import { goodTrials } from './effects.js';
import { locate } from './mean-estimate.js';
import { FALSE_ALARMS, LEAST_ROUNDS } from './alpha-spending.js';
import { differencesOf, neighboursOf } from './paired-windows.js';
import { reach } from './verdicts.js';

/** Fewer leave no neighbours in balance; of more, each tells next to nothing. */
export const WINDOWS = [2, 4, 6];

/** bootSeconds: of one fresh boot with its warm-up; windowSeconds: of one window. @typedef {{ bootSeconds: number, windowSeconds: number }} Cost */

/**
 * As many as leave the narrowest interval when the run has gone on for as long again. More windows make rounds steadier, fewer
 * make more rounds, which also tell better how far rounds scatter.
 * Source of the variance of a round: W. G. Cochran, Sampling Techniques, 3rd ed. (1977), 10.6.
 * @param {{ base: Run, head: Run }} runs so far, of one session
 * @param {(of: RunCase) => Cost} costOf
 * @returns {Map<string, number>} windows a boot, an even number, by case; of those with rounds enough to tell
 */
export function windowsPerBoot({ base, head }, costOf) {
  const cases = head.cases.flatMap((of) => {
    const { id, trials } = of;
    const other = base.cases.find((each) => each.id === id);
    const rounds = neighboursOf(goodTrials(other?.trials ?? []), goodTrials(trials));
    const [found] = SPEEDS.flatMap(({ id: speed }) => locate(differencesOf(rounds, speed)) ?? []);
    if (!found || found.rounds < LEAST_ROUNDS || found.window === 0) return [];
    const cost = costOf(of);
    const secondsOf = (/** @type {number} */ windows) => cost.bootSeconds + windows * cost.windowSeconds;
    const spent = rounds.reduce((sum, { length }) => sum + secondsOf(length), 0);
    const halves = WINDOWS.map((windows) => halfAfter(found, { more: spent / secondsOf(windows), windows }));
    return [/** @type {[string, number]} */ ([id, WINDOWS[halves.indexOf(Math.min(...halves))] ?? 0])];
  });
  return new Map(cases);
}

/**
 * @param {Location} found
 * @param {{ more: number, windows: number }} rounds that come, each of so many windows
 * @returns {number} how far the interval will reach to each side
 */
function halfAfter({ error, rounds, boot, window }, { more, windows }) {
  const all = rounds + more;
  const squares = (error * rounds) ** 2 + more * (boot ** 2 + window ** 2 / windows);
  return reach({ error: Math.sqrt(squares) / all, df: all - 1 }, FALSE_ALARMS);
}
