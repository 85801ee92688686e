/**
 * From an interval to a word, and from many words to one.
 * @import { Metric, Verdict } from '../types.js'
 */

/** Worst first. */
const RANK = /** @type {const} */ (['failed', 'regressed', 'unsure', 'same', 'improved']);

/**
 * A change is told where the interval leaves out zero; it is `same` only where the whole interval lies inside the margin.
 * A change that is certain but below half the margin always lies inside it, and is `same` too.
 * @param {{ effect: number, interval: [number, number], margin: number, better: Metric['better'] }} seen shares, not percent
 * @returns {Verdict}
 */
export function verdictOf({ effect, interval: [low, high], margin, better }) {
  const certain = low > 0 || high < 0;
  if (certain && Math.abs(effect) >= margin / 2)
    return effect > 0 === (better === 'more') ? 'improved' : 'regressed';
  return low > -margin && high < margin ? 'same' : 'unsure';
}

/**
 * @param {Verdict[]} gated the verdicts of one case's metrics
 * @returns {Verdict} a change in any of them outweighs the doubt in another
 */
export function caseVerdict(gated) {
  for (const verdict of /** @type {const} */ (['failed', 'regressed', 'improved', 'unsure'])) {
    if (gated.includes(verdict)) return verdict;
  }
  return gated.length > 0 ? 'same' : 'unsure';
}

/**
 * @param {Verdict[]} verdicts
 * @returns {Verdict} the worst
 */
export function worst(verdicts) {
  return RANK.find((verdict) => verdicts.includes(verdict)) ?? 'unsure';
}
