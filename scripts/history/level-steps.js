/**
 * Which boundaries between levels are steps: those that noise between runs does not explain.
 * @import { MetricId, TrendStep } from '../types.js'
 * @import { Levels, Stretch, Value } from './levels.js'
 */

import { greatest, group, pairs, sum } from 'd3-array';
import jstat from 'jstat';
import { PRIOR_RUNS } from '../judge/effects.js';
import { intervalPct, percent } from '../judge/mean-estimate.js';
import { BEYOND, halfWidth, mean } from '../samples/interval.js';
import { metric } from '../samples/figures.js';
import { placesOf } from './levels.js';

/** The chance that an unchanged case shows a step where it is most likely to. */
const RISK = 0.001;
/**
 * A place may explain this many squares of a run's spread less than the best one and still be where the step
 * is, at 95 %: twice the difference of log-likelihoods that a walk to either side seldom rises above. Source:
 * D. Siegmund, "Confidence sets in change-point problems", International Statistical Review 56 (1988).
 */
const AS_LIKELY = -2 * Math.log(1 - Math.sqrt(1 - 2 * BEYOND));

/**
 * A boundary stays where the runs on both sides, on the kinds of machine that they share, differ by more than
 * runs do. The weakest goes first, which leaves its neighbours more runs. Where the kind of machine changed
 * with the boundary, it cannot stay.
 * @type {(values: Value[], levels: Levels, id: MetricId) => { steps: TrendStep[], stretches: Stretch[] }}
 */
export function stepsOf(values, { stretches, sums, spread, alike }, id) {
  const kept = [...stretches];
  for (;;) {
    const bounds = pairs(kept, (ahead, behind) => {
      const [before, after] = [values.slice(ahead.from, ahead.to), values.slice(behind.from, behind.to)];
      const around = { from: ahead.from, to: behind.to };
      return { place: behind.from, around, ...shiftOf({ before, after, alike }, id) };
    });
    const weakest = greatest(bounds, ({ chance }) => chance);
    if (!weakest || weakest.chance <= RISK) {
      const steps = bounds.map(({ place, around, effect, half }) => ({
        at: place,
        within: placesOf(sums, around, AS_LIKELY * spread ** 2 * alike),
        better: effect > 0 === (metric(id).better === 'more'),
        effectPct: percent(effect),
        ciPct: intervalPct(effect, half),
      }));
      return { steps, stretches: kept };
    }
    kept.splice(bounds.indexOf(weakest), 2, weakest.around);
  }
}

/**
 * How far runs lie apart is learned from these, beginning with the cautious guess of verdicts against stored
 * runs. In logarithms; `half` is of the interval; `chance`, that unchanged runs are as far apart.
 * @type {(sides: { before: Value[], after: Value[], alike: number }, id: MetricId) =>
 *   { effect: number, half: number, chance: number }}
 */
function shiftOf({ before, after, alike }, id) {
  const later = group(after, ({ kind }) => kind);
  const parts = [...group(before, ({ kind }) => kind)].flatMap(([kind, values]) => {
    const others = later.get(kind);
    if (!others) return [];
    const [from, to] = [mean(values.map(({ log }) => log)), mean(others.map(({ log }) => log))];
    const deviations = [...values.map(({ log }) => log - from), ...others.map(({ log }) => log - to)];
    return {
      apart: to - from,
      weight: 1 / (1 / values.length + 1 / others.length),
      squares: sum(deviations, (deviation) => deviation ** 2),
      freedom: deviations.length - 2,
    };
  });
  const weight = sum(parts, (part) => part.weight);
  if (weight === 0) return { effect: 0, half: Number.POSITIVE_INFINITY, chance: 1 };
  const df = PRIOR_RUNS + sum(parts, ({ freedom }) => freedom);
  const guess = metric(id).judged.spread.besideReference ** 2;
  const variance = (PRIOR_RUNS * guess + sum(parts, ({ squares }) => squares)) / df;
  const error = Math.sqrt((variance * alike) / weight);
  const effect = sum(parts, (part) => part.weight * part.apart) / weight;
  const chance = 2 * jstat.studentt.cdf(-Math.abs(effect) / error, df);
  return { effect, half: halfWidth({ error, df }), chance };
}
