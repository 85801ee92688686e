/**
 * What a comparison will be able to find, foretold from the spread of boots that were measured before.
 * @import { Run } from '../types.js'
 */

import jstat from 'jstat';
import { weigh } from './evidence.js';
import { FALSE_ALARMS } from './looks.js';
import { goodTrials } from './relation.js';
import { MOST_ROUNDS } from './verdicts.js';

/** The share of runs in which a slowdown should be found. */
export const POWER = 0.95;
/**
 * What the checks against chance, and with two states those for other readings, cost beyond the textbook's distance: as
 * measured over simulated boots (test/judge/power.test.js holds it against them).
 */
const CHECKS = { 1: 1.25, 2: 1.7 };
/** Boots of a case below which their spread is a guess. */
const LEAST_BOOTS = 6;

/**
 * finds: the slowdown (a share) that so many rounds find in 95 of 100 runs; roundsForMargin: how many rounds find one as
 * large as the margin.
 * @typedef {{ id: string, finds: number, roundsForMargin: number }} Foretold
 */

/**
 * @param {Run} earlier
 * @param {{ ids: string[], rounds: number, margin: number, stored?: boolean }} plan ids: the cases that will be compared,
 *   which share the risk of a false alarm; rounds: boots a side; margin: a share; stored: whether the earlier run is what
 *   will be compared with, so that its boots are the base's
 * @returns {Foretold[]} of the cases that the earlier run knows well enough
 */
export function foretell({ cases }, { ids, rounds, margin, stored = false }) {
  return ids.flatMap((id) => {
    const trials = goodTrials(cases.find((of) => of.id === id)?.trials ?? []);
    if (trials.length < LEAST_BOOTS) return [];
    const { weight, ...noise } = spreadOf(trials);
    const alpha = (FALSE_ALARMS * weight) / ids.length;
    const found = (/** @type {number} */ boots) =>
      smallest({ ...noise, alpha, base: stored ? trials.length : boots, head: boots });
    return { id, finds: found(rounds), roundsForMargin: roundsFor(found, margin) };
  });
}

/**
 * The judge's own idea of it, states and wrecked boots considered: every other boot is set against the rest.
 * @param {Run['cases'][number]['trials']} trials
 * @returns {{ spread: number, weight: number, metrics: number, states: 1 | 2 }} spread: the standard deviation of a boot's log throughput
 *   around its state; weight: the part of a case's risk that is spent on it; metrics: how many are read together with it
 */
function spreadOf(trials) {
  const [base, head] = [0, 1].map((side) => trials.filter((_, index) => index % 2 === side));
  const claims = weigh({ base: base ?? [], head: head ?? [] });
  const claim = claims.find(({ findings }) => findings.some(({ metric }) => metric === 'throughput'));
  const error = claim?.findings.find(({ metric }) => metric === 'throughput')?.error ?? 0;
  const boots = 2 / (1 / (base ?? []).length + 1 / (head ?? []).length);
  const total = claims.reduce((sum, { weight }) => sum + weight, 0);
  return {
    spread: error * Math.sqrt(boots / 2),
    weight: (claim?.weight ?? total) / total,
    metrics: claim?.findings.length ?? 1,
    states: claim?.speed?.shift.fit.states ?? 1,
  };
}

/**
 * The usual reckoning for two means: the distance at which a test statistic exceeds its critical value with the wanted
 * chance (J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, ch. 2). Several metrics read together
 * must pass Hotelling's bound; what they find beyond throughput alone is not counted on.
 * @param {{ spread: number, metrics: number, states: 1 | 2, alpha: number, base: number, head: number }} test boots a side
 * @returns {number} a share
 */
function smallest({ spread, metrics, states, alpha, base, head }) {
  const df = base + head - 2;
  const second = df - metrics + 1;
  if (head < 2 || second < 1) return 1;
  const x = jstat.beta.inv(1 - alpha, metrics / 2, second / 2);
  const bound = Math.sqrt((df * x) / (1 - x));
  const quantiles = bound + jstat.studentt.inv(POWER, df);
  return -Math.expm1(-CHECKS[states] * quantiles * spread * Math.sqrt(1 / base + 1 / head));
}

/**
 * @param {(boots: number) => number} found
 * @param {number} margin
 */
function roundsFor(found, margin) {
  let boots = 2;
  while (boots < MOST_ROUNDS && found(boots) > margin) boots++;
  return boots;
}
