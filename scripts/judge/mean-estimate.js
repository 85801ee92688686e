/**
 * Pairs windows that were measured seconds apart, and estimates the mean of their differences.
 * @import { MetricId, RunCase, Sample } from '../types.js'
 */

import { cross, group } from 'd3-array';
import jstat from 'jstat';
import { metric } from '../samples/figures.js';
import { samplesOf } from '../samples/case-figures.js';
import { LAST_DIGIT, mean, varianceOf } from '../samples/interval.js';

/** A round is left out below this chance of usual noise. 0.05 finds more, but 4 % of alarms may be false. */
export const WRECKED = 0.001;
/** With fewer rounds, the test cannot recognize an outlier. */
const LEAST_ROUNDS_FOR_OUTLIERS = 5;
/** In percent: JSON has no infinity, and an interval from two rounds can reach farther than numbers do. */
const LARGEST = 1e9;

/**
 * @typedef {object} Estimate of a mean, on the logarithmic scale unless its maker says otherwise
 * @property {number} effect the mean
 * @property {number} error its standard error
 * @property {number} [lasting] the part of that error that more rounds do not lessen
 * @property {number} df degrees of freedom of the error; 0 where a single round says nothing of the spread
 * @property {number} rounds how many it rests on
 * @property {number} wrecked how many were left out
 */

/**
 * Windows of servers that ran beside each other are paired in order of time, whichever server came first:
 * they share the moments of the machine, which cancel. Starts measured one after the other are paired too,
 * and their spread shows the distance. Leaving out windows that other programs disturbed was tried and found
 * nothing sooner. For each round that both measured (for figures of starts, each start): the head's
 * logarithms, or counts, less the base's.
 * @type {(base: Sample[], head: Sample[], id: MetricId) => number[][]}
 */
export function differencesOf(base, head, id) {
  const isOfStart = metric(id).readStart !== undefined;
  return sameRounds(base, head).flatMap(([before, after]) => {
    const logOf = (/** @type {Sample['whole'] | undefined} */ figures) => onScale(id, figures?.[id]);
    const differences = (/** @type {'windows' | 'startups'} */ list) =>
      before[list]
        .map((figures, index) => logOf(after[list][index]) - logOf(figures))
        .filter(Number.isFinite);
    return isOfStart ? differences('startups').map((difference) => [difference]) : [differences('windows')];
  });
}

/** Its logarithm; a count itself, which may be 0. @type {(id: MetricId, value?: number) => number} */
export function onScale(id, value = NaN) {
  return metric(id).judged.idle ? value : Math.log(value);
}

/**
 * A round of several groups, as of routes, measures the reference in each: what ran at once is a pair.
 * @template {{ round: number, block?: number, at?: number }} T at: when its load began
 * @param {T[]} base
 * @param {T[]} head
 * @returns {[base: T, head: T][]} those of the same round and machine, the nearest in time, each in one pair
 */
export function sameRounds(base, head) {
  const roundOf = (/** @type {T} */ { round, block }) => `${block} ${round}`;
  const apart = (/** @type {[T, T]} */ [before, after]) => Math.abs((before.at ?? 0) - (after.at ?? 0));
  const heads = group(head, roundOf);
  /** @type {Set<T>} */
  const paired = new Set();
  return [...group(base, roundOf)].flatMap(([round, before]) =>
    cross(before, heads.get(round) ?? [])
      .toSorted((a, b) => apart(a) - apart(b))
      .filter((pair) => {
        const isFree = pair.every((each) => !paired.has(each));
        if (isFree) pair.forEach((each) => paired.add(each));
        return isFree;
      }),
  );
}

/**
 * Sets the head against the base in each round, in order.
 * @param {{ base: RunCase, head: RunCase }} pair of one session
 * @param {MetricId} id
 * @returns {{ round: number, pct: number, kept: boolean }[]} kept: false where it is wrecked
 */
export function roundsOf({ base, head }, id) {
  const rounds = sameRounds(samplesOf(base.trials), samplesOf(head.trials)).flatMap(([before, after]) =>
    meansOf(differencesOf([before], [after], id)).map((value) => ({ round: before.round, value })),
  );
  const good = withoutWrecked(rounds.map(({ value }) => value));
  return rounds.map(({ round, value }) => ({ round, pct: percent(value), kept: good.includes(value) }));
}

/**
 * The mean over rounds, each the differences of its neighbours, with Student's t; undefined where there are
 * none. A wrecked round, far too high or far too low, would widen the interval for nothing, so such rounds
 * are left out first.
 * @type {(rounds: number[][]) => Estimate | undefined}
 */
export function estimate(rounds) {
  const means = meansOf(rounds);
  if (means.length === 0) return undefined;
  const kept = withoutWrecked(means);
  const df = kept.length - 1;
  const variance = df > 0 ? varianceOf(kept) : 0;
  return {
    effect: mean(kept),
    error: Math.sqrt(variance / kept.length) + LAST_DIGIT,
    df,
    rounds: kept.length,
    wrecked: means.length - kept.length,
  };
}

/** Ends in percent, from a half width. @type {(effect: number, half: number) => [number, number]} */
export function intervalPct(effect, half) {
  return [percent(effect - half), percent(effect + half)];
}

/** The change in percent, always finite. @type {(log: number) => number} */
export function percent(log) {
  return Math.min(Math.expm1(log) * 100, LARGEST);
}

/**
 * The generalised extreme Studentized deviate test: the farthest value is taken off, then the next, and all
 * are left out up to the last that was too far for normal noise. Source: B. Rosner, "Percentage points for a
 * generalized ESD many-outlier procedure", Technometrics 25 (1983). Returns those that are not outliers.
 * @type {(values: number[]) => number[]}
 */
export function withoutWrecked(values) {
  let kept = values;
  let left = values;
  for (let i = 1; i <= values.length / 3 && left.length >= LEAST_ROUNDS_FOR_OUTLIERS; i++) {
    const centre = mean(left);
    const spread = Math.sqrt(varianceOf(left));
    const deviations = left.map((value) => Math.abs(value - centre));
    const farthest = Math.max(...deviations);
    if (!(spread > 0)) break;
    const isFar = chanceToLieAsFar(farthest / spread, left.length) < WRECKED / 2 / left.length;
    left = left.toSpliced(deviations.indexOf(farthest), 1);
    if (isFar) kept = left;
  }
  return kept;
}

/**
 * F. E. Grubbs, "Sample criteria for testing outlying observations", Ann. Math. Statist. 21 (1950).
 * @param {number} deviation from the mean, in standard deviations
 * @param {number} n values
 */
function chanceToLieAsFar(deviation, n) {
  const rest = (n - 1) ** 2 / n - deviation ** 2;
  if (rest <= 0) return 0;
  return jstat.studentt.cdf(-Math.sqrt(((n - 2) * deviation ** 2) / rest), n - 2);
}

/** @param {number[][]} rounds */
function meansOf(rounds) {
  return rounds.filter(({ length }) => length > 0).map(mean);
}
