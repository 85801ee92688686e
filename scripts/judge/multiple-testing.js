/**
 * Which claims of a whole comparison hold, however many cases and figures it has.
 * @import { Effect } from './effects.js'
 */

import jstat from 'jstat';
import { metric } from '../samples/figures.js';

/** What Holm's procedure says of a claim: whether it holds, and the alpha it was tested at. @typedef {{ holds: boolean, alpha: number }} Decision */

/**
 * One alpha for all claims that something got worse, and as much again for all that something got better. Every case has the
 * same part of it, whatever it measured.
 * @param {{ effects: Effect[], share: number }[]} cases share: a case's alpha as a multiple of the whole's
 * @param {number} alpha
 * @returns {Map<Effect, Decision>}
 */
export function decide(cases, alpha) {
  const claims = cases.flatMap(({ effects, share }) => {
    const whole = effects.reduce((sum, { metric: id }) => sum + metric(id).judged.weight, 0);
    return effects.map((effect) => ({
      effect,
      weight: metric(effect.metric).judged.weight / whole,
      isBetter: isBetter(effect),
      p: Math.min(1, pValue(effect) / share),
    }));
  });
  const [worse = [], better = []] = [false, true].map((side) =>
    holm(
      claims.map(({ p, weight, isBetter }) => ({ p: isBetter === side ? p : 1, weight })),
      alpha,
    ),
  );
  return new Map(
    claims.map(({ effect, isBetter }, place) => [
      effect,
      /** @type {Decision} */ ((isBetter ? better : worse)[place]),
    ]),
  );
}

/** @param {Pick<Effect, 'metric' | 'effect'>} effect @returns {boolean} whether it is a change for the better, if it is one */
export function isBetter({ metric: id, effect }) {
  return effect > 0 === (metric(id).better === 'more');
}

/** @param {Effect} effect @returns {number} the chance that noise alone takes an unchanged server as far, to this side */
export function pValue({ effect, error, df, floor, grain }) {
  if (df <= 0) return 1;
  return jstat.studentt.cdf(-Math.max(0, Math.abs(effect) - floor - grain) / error, df);
}

/**
 * Holm's step-down with weights: the strongest claim (smallest p for its weight) is held against its share of the alpha, the
 * next against its share of what claims are left, until one fails.
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979).
 * @param {{ p: number, weight: number }[]} claims
 * @param {number} alpha the chance of one or more false claims
 * @returns {Decision[]} in the same order
 */
export function holm(claims, alpha) {
  const total = claims.reduce((sum, { weight }) => sum + weight, 0);
  const decisions = claims.map(({ weight }) => ({ holds: false, alpha: (alpha * weight) / total }));
  const order = claims
    .map((claim, index) => ({ ...claim, index }))
    .sort((a, b) => a.p / a.weight - b.p / b.weight);
  let left = total;
  for (const { p, weight, index } of order) {
    const level = (alpha * weight) / left;
    if (p > level) break;
    decisions[index] = { holds: true, alpha: level };
    left -= weight;
  }
  return decisions;
}
