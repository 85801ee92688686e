/**
 * From effects to verdicts of figures: which claims of a comparison hold.
 * @import { MetricComparison, Reason } from '../types.js'
 * @import { Effect } from './effects.js'
 */

import { sum } from 'd3-array';
import jstat from 'jstat';
import { metric } from '../samples/figures.js';
import { FALSE_ALARMS } from './alpha-spending.js';
import { LEAST_ROUNDS } from '../model/times.js';
import { intervalPct, percent } from './mean-estimate.js';
import { BEYOND, halfWidth } from '../samples/interval.js';

/** Nobody runs more rounds, so no estimate names more. */
export const MOST_ROUNDS = 1000;
/** With fewer rounds, `same` takes an interval of 99 %. A minute has as many rounds on a slow machine. */
export const FEW_ROUNDS = 7;
/** The chance beyond one end of it: fewer slowdowns of 5 % are missed, and `same` comes no later. */
const FEW_BEYOND = 0.005;

/** Changes by this factor in each pair need one round. 458 pairs of unchanged servers show 1.32 at most. */
export const TENFOLD = 10;
/** Changes by this factor in each pair of enough rounds need no share of the risk: recorded noise is less. */
const FAR = 4 / 3;

/** Whether a claim holds, and its alpha by Holm. @typedef {{ holds: boolean, alpha: number }} Decision */

/**
 * One alpha for all claims that something got worse, and as much again for all that something got better.
 * Every case of equal weight has the same part of it, whatever it measured. shareOf: its multiple of the
 * whole's alpha.
 * @type {(cases: { effects: Effect[], weight: number, shareOf: (effect: Effect) => number }[],
 *   alpha: number) => Map<Effect, Decision>}
 */
export function decide(cases, alpha) {
  const claims = cases.flatMap(({ effects, weight, shareOf }) => {
    const whole = sum(effects, ({ metric: id }) => metric(id).judged.weight);
    return effects.map((effect) => ({
      effect,
      weight: (weight * metric(effect.metric).judged.weight) / whole,
      p: Math.min(1, pValue(effect) / shareOf(effect)),
    }));
  });
  const ofSide = (/** @type {boolean} */ side) =>
    holm(
      claims.map(({ effect, p, weight }) => ({ p: isBetter(effect) === side ? p : 1, weight })),
      alpha,
    );
  const [worse, better] = [ofSide(false), ofSide(true)];
  const decisions = claims.map(({ effect }, index) => (isBetter(effect) ? better : worse)[index]);
  return new Map(claims.map(({ effect }, index) => [effect, /** @type {Decision} */ (decisions[index])]));
}

/** Whether a change is for the better. @type {(effect: Pick<Effect, 'metric' | 'effect'>) => boolean} */
function isBetter({ metric: id, effect }) {
  return effect > 0 === (metric(id).better === 'more');
}

/** The chance that noise alone takes an unchanged server so far. @type {(effect: Effect) => number} */
export function pValue({ effect, error, df, floor, grain }) {
  if (df <= 0) return 1;
  return jstat.studentt.cdf(-Math.max(0, Math.abs(effect) - floor - grain) / error, df);
}

/**
 * Holm's step-down with weights: the strongest claim (smallest p for its weight) is held against its share of
 * the alpha (the chance of one or more false claims), the next against its share of what claims are left,
 * until one fails. Decides in the order of the claims.
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979).
 * @type {(claims: { p: number, weight: number }[], alpha: number) => Decision[]}
 */
export function holm(claims, alpha) {
  let left = sum(claims, ({ weight }) => weight);
  const decisions = claims.map(({ weight }) => ({ holds: false, alpha: (alpha * weight) / left }));
  const order = [...claims.entries()].sort(([, a], [, b]) => a.p / a.weight - b.p / b.weight);
  for (const [index, { p, weight }] of order) {
    const level = (alpha * weight) / left;
    if (!(p <= level)) break;
    decisions[index] = { holds: true, alpha: level };
    left -= weight;
  }
  return decisions;
}

/**
 * A figure is `same` only where its whole interval lies inside the margin, a share (a startup and a speed of
 * few rounds: that of 99 %), and changed where it does not and Holm's procedure lets the claim stand.
 * @type {(effect: Effect, rule: Decision & { margin: number }) => MetricComparison}
 */
export function judgeEffect(effect, { holds, alpha, margin }) {
  const { metric: id, base, head, df, floor, grain, rounds, nearest } = effect;
  const enough = Math.max(margin, floor);
  const effectPct = percent(effect.effect);
  const seen = { metric: id, base, head, effectPct, marginPct: 100 * enough };
  const { role } = metric(id).judged;
  const changedWay = isBetter(effect) ? 'improved' : 'regressed';
  /** @type {Reason | false} */
  const tenfold = role === 'speed' && nearest >= Math.log(TENFOLD) && { code: 'tenfold', byPct: effectPct };
  if (tenfold && !holds) return { ...seen, verdict: changedWay, why: tenfold };
  if (df <= 0) return { ...seen, verdict: 'unsure', why: { code: 'one-start' } };
  const halfOf = (/** @type {number} */ beyond) => halfWidth(effect, beyond) + grain;
  const measuredBy = (/** @type {number} */ beyond) => ({
    ...seen,
    errorPct: 100 * effect.error,
    noisePct: 100 * effect.error * Math.sqrt(rounds),
    ciPct: intervalPct(effect.effect, halfOf(beyond)),
    ciLevelPct: levelPctOf(beyond),
  });
  const measured = measuredBy(BEYOND);
  if (isInside(effect, enough)) return { ...measured, verdict: 'same', why: { code: 'inside-margin' } };
  if (holds || isFar(effect)) {
    const why = tenfold || { code: 'changed', byPct: effectPct, halfIntervalPct: percent(halfOf(BEYOND)) };
    return { ...measured, verdict: changedWay, why };
  }
  const open = { ...measuredBy(Math.min(BEYOND, alpha)), verdict: /** @type {const} */ ('unsure') };
  if (grain > margin) return { ...open, why: { code: 'too-coarse', stepPct: 100 * grain } };
  return { ...open, why: { code: 'open', moreRounds: roundsToSettle(effect, { alpha, enough }), rounds } };
}

/** The percentage of an interval with this chance to miss either way. @type {(beyond: number) => number} */
export function levelPctOf(beyond) {
  return 100 * (1 - 2 * beyond);
}

/** Whether every pair of windows differs by more than noise does. @type {(effect: Effect) => boolean} */
function isFar(effect) {
  const { metric: id, nearest, rounds } = effect;
  const isOfSpeed = metric(id).judged.role === 'speed' && rounds >= LEAST_ROUNDS;
  return isOfSpeed && nearest >= Math.log(FAR) && pValue(effect) <= FALSE_ALARMS;
}

/**
 * Whether about twice the rounds would do; otherwise, noise keeps it open.
 * @type {(why: Extract<Reason, { code: 'open' }>) => boolean}
 */
export function hasFewRounds({ rounds = FEW_ROUNDS, moreRounds }) {
  return rounds < FEW_ROUNDS && moreRounds <= FEW_ROUNDS;
}

/** Whether its whole interval lies within that share. @type {(effect: Effect, enough: number) => boolean} */
export function isInside(effect, enough) {
  const { role, idle } = metric(effect.metric).judged;
  // Counts change by differences.
  if (idle) return Math.abs(effect.effect) + halfWidth(effect) < enough;
  const isOfFew = role === 'startup' || (role === 'speed' && effect.rounds < FEW_ROUNDS);
  const reach = halfWidth(effect, isOfFew ? FEW_BEYOND : BEYOND) + effect.grain;
  return Math.max(...intervalPct(effect.effect, reach).map(Math.abs)) < 100 * enough;
}

/**
 * How many more rounds make an open figure `same` (its interval within the share `enough`) or changed, if the
 * mean stays and rounds scatter as they do now; `MOST_ROUNDS` + 1 where more do.
 * @type {(effect: Effect, rule: { alpha: number, enough: number }) => number}
 */
export function roundsToSettle(effect, { alpha, enough }) {
  const { error, lasting = 0, df, rounds } = effect;
  const fading = Math.sqrt(Math.max(0, error ** 2 - lasting ** 2));
  const settles = (/** @type {number} */ more) => {
    const all = rounds + more;
    const later = {
      ...effect,
      error: Math.hypot(lasting, fading * Math.sqrt(rounds / all)),
      df: lasting > 0 ? df : df + more,
      rounds: all,
    };
    return isInside(later, enough) || pValue(later) <= alpha;
  };
  let [few, many] = [0, MOST_ROUNDS + 1];
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (settles(middle)) many = middle;
    else few = middle;
  }
  return many;
}
