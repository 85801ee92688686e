/**
 * Pairs of windows that were measured seconds apart, and what lies between them.
 * @import { MetricId, RunCase, Sample } from '../types.js'
 */

import { samplesOf } from '../samples/samples.js';
import { mean, percent, withoutWrecked } from './mean-estimate.js';

/**
 * Windows of servers that ran beside each other are paired in order of time, whichever server came first: they share the moments
 * of the machine, which cancel. Starts measured one after the other are paired too, and their spread shows the distance.
 * Leaving out windows that other programs disturbed was tried and found nothing sooner.
 * @param {Sample[]} base
 * @param {Sample[]} head
 * @param {MetricId} id
 * @returns {number[][]} for each round that both measured, the head's logarithms less the base's
 */
export function differencesOf(base, head, id) {
  const byRound = new Map(head.map((sample) => [sample.round, sample]));
  return base.flatMap(({ round, windows }) => {
    const after = byRound.get(round)?.windows;
    if (!after) return [];
    const logOf = (/** @type {Sample['whole'] | undefined} */ figures) =>
      Math.log(figures?.[id] ?? Number.NaN);
    return [windows.map((window, place) => logOf(after[place]) - logOf(window)).filter(Number.isFinite)];
  });
}

/**
 * @param {{ base: RunCase, head: RunCase }} pair of one session
 * @param {MetricId} id
 * @returns {{ pct: number, kept: boolean }[]} the head against the base in each round, in order; kept: false where the round is
 *   wrecked and left out
 */
export function roundsOf({ base, head }, id) {
  const means = differencesOf(samplesOf(base.trials), samplesOf(head.trials), id)
    .filter((pairs) => pairs.length > 0)
    .map(mean);
  const kept = withoutWrecked(means);
  return means.map((value) => ({ pct: percent(value), kept: kept.includes(value) }));
}
