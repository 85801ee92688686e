/**
 * What a comparison makes of controls: routes that execute the same code on both sides.
 * @import { CaseComparison, Run, RunCase } from '../types.js'
 */

import { median } from 'd3-array';
import { isControl } from '../model/is-control.js';
import { SPEEDS } from '../samples/figures.js';
import { samplesOf } from '../samples/case-figures.js';
import { differencesOf, estimate } from './mean-estimate.js';

/** Of a case's share of the risk: twenty controls have as much as two routes that execute changed code. */
const CONTROL_WEIGHT = 0.1;
/** Sides farther apart than this (in logarithms) contradict that nothing changed. */
const APART = 0.1;
/** But not if the controls of the run lie as far apart by chance: so many of their standard deviations. */
const BEYOND_OTHERS = 3;
/** What slows one control mostly slows all, and each full case takes time from the others. */
const MOST_AT_ONCE = 2;
/** Of a normal distribution, its median absolute deviation. */
const MAD = 0.6745;

/**
 * Its share of the risk, in shares of a full case: fixed before the first load.
 * @param {Pick<RunCase, 'role'>} measured
 */
export function weightOf({ role }) {
  return role === 'control' ? CONTROL_WEIGHT : 1;
}

/** The starts that judge it: those that promoted a control do not. @type {(runCase: RunCase) => RunCase} */
export function withoutPromoting(runCase) {
  const { promotedAt = 0, trials } = runCase;
  return promotedAt > 0 ? { ...runCase, trials: trials.filter(({ round }) => round >= promotedAt) } : runCase;
}

/**
 * Ids of the controls whose speed differs too much, the farthest first.
 * @type {(base: Run, head: Run) => Set<string>}
 */
export function controlsToPromote(base, head) {
  const controls = head.cases.filter(isControl);
  const open = head.cases.filter(({ promotedAt, decidedAt }) => promotedAt && decidedAt === undefined);
  const apart = SPEEDS.flatMap((speed) => {
    const effects = controls.flatMap(({ id, trials }) => {
      const { trials: before = [] } = base.cases.find((other) => other.id === id) ?? {};
      const estimated = estimate(differencesOf(samplesOf(before), samplesOf(trials), speed.id));
      return estimated ? { id, effect: estimated.effect } : [];
    });
    const middle = median(effects, ({ effect }) => effect) ?? 0;
    const spread = (median(effects, ({ effect }) => Math.abs(effect - middle)) ?? 0) / MAD;
    const least = Math.max(APART, BEYOND_OTHERS * spread);
    return effects.map(({ id, effect }) => ({ id, times: Math.abs(effect) / least }));
  });
  const beyond = apart.filter(({ times }) => times > 1).toSorted((a, b) => b.times - a.times);
  const ids = [...new Set(beyond.map(({ id }) => id))];
  return new Set(ids.slice(0, Math.max(0, MOST_AT_ONCE - open.length)));
}

/**
 * Whether its verdict counts for the whole: what a control leaves open does not, nor what it gains.
 * @param {Pick<CaseComparison, 'role' | 'promoted' | 'verdict'>} compared
 */
export function counts({ role, promoted, verdict }) {
  return role !== 'control' || promoted === true || verdict === 'regressed' || verdict === 'failed';
}
