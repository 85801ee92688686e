/**
 * What each round says of a metric, one difference a round: what the verdict rests on, to be looked at.
 * @import { MetricId, RunCase } from '../types.js'
 */

import { goodTrials } from './effects.js';
import { mean, withoutWrecked } from './mean-estimate.js';
import { differencesOf, neighboursOf } from './paired-windows.js';
import { percent } from './verdicts.js';

/**
 * @param {{ base: RunCase, head: RunCase }} pair of one session
 * @param {MetricId} id
 * @returns {{ pct: number, kept: boolean }[]} in their order: the head against the base in percent, the mean of the round's
 *   neighbours; kept: false where the round is wrecked and left out
 */
export function roundsOf({ base, head }, id) {
  const rounds = neighboursOf(goodTrials(base.trials), goodTrials(head.trials));
  const means = differencesOf(rounds, id)
    .filter((pairs) => pairs.length > 0)
    .map(mean);
  const kept = withoutWrecked(means);
  return means.map((value) => ({ pct: percent(value), kept: kept.includes(value) }));
}
