/**
 * What a comparison makes of controls: routes that execute the same code on both sides.
 * @import { Run, RunCase } from '../types.js'
 */

import { max, median, min } from 'd3-array';
import { isControl } from '../model/is-control.js';
import { LEAST_DIFFERENCES, PROMOTING_STARTS } from '../model/times.js';
import { SPEEDS } from '../samples/figures.js';
import { samplesOf } from '../samples/case-figures.js';
import { mean } from '../samples/interval.js';
import { differencesOf } from './mean-estimate.js';

/** Of a case's share of the risk: fifty controls take as much as a route that executes changed code. */
const CONTROL_WEIGHT = 0.02;
/** Sides farther apart than this (in logarithms) contradict that nothing changed. */
const APART = 0.1;
/** But not if the controls of the run lie as far apart by chance: so many of their standard deviations. */
const BEYOND_OTHERS = 4;
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

/** Of a run that is compared with another one, whose code differs elsewhere. @type {(run: Run) => Run} */
export function withoutRoles({ touched: _, cases, ...run }) {
  return { ...run, cases: cases.map(({ role: __, ...measured }) => measured) };
}

/** The starts that judge it: those that promoted a control do not. @type {(runCase: RunCase) => RunCase} */
export function withoutPromoting(runCase) {
  const { promotedAt = 0, trials } = runCase;
  return promotedAt > 0 ? { ...runCase, trials: trials.filter(({ round }) => round >= promotedAt) } : runCase;
}

/**
 * Ids of the open controls whose speed differs too much, the farthest first.
 * @type {(base: Run, head: Run) => Set<string>}
 */
export function controlsToPromote(base, head) {
  const controls = head.cases.filter(isControl).map(({ id, trials, decidedAt }) => {
    const { trials: before = [] } = base.cases.find((other) => other.id === id) ?? {};
    return { id, isOpen: decidedAt === undefined, from: samplesOf(before), to: samplesOf(trials) };
  });
  const open = head.cases.filter(({ promotedAt, decidedAt }) => promotedAt && decidedAt === undefined);
  const apart = SPEEDS.flatMap((speed) => {
    const differences = (/** @type {typeof controls[0]} */ { from, to }) => differencesOf(from, to, speed.id);
    const measured = controls.map((each) => ({ ...each, rounds: differences(each).map(mean) }));
    // What slows all of them may slow each by another share, so each scatters about its own mean.
    const scatter = measured.flatMap(({ rounds }) => {
      const ownMean = mean(rounds);
      const ofSample = Math.sqrt(rounds.length / (rounds.length - 1));
      return rounds.length > 1 ? rounds.map((each) => Math.abs(each - ownMean) * ofSample) : [];
    });
    if (scatter.length < LEAST_DIFFERENCES) return [];
    const spread = (median(scatter) ?? 0) / MAD;
    return measured.flatMap(({ id, isOpen, rounds }) => {
      const nearest = Math.max(min(rounds) ?? 0, -(max(rounds) ?? 0));
      const far = (BEYOND_OTHERS * spread) / Math.sqrt(rounds.length);
      const isApart = nearest > APART && Math.abs(mean(rounds)) > far;
      return isOpen && isApart && rounds.length >= PROMOTING_STARTS ? { id, nearest } : [];
    });
  });
  const ids = new Set(apart.toSorted((a, b) => b.nearest - a.nearest).map(({ id }) => id));
  return new Set([...ids].slice(0, Math.max(0, MOST_AT_ONCE - open.length)));
}
