/**
 * Which functions cost more, or less, for each request: what profiled boots of both sides say.
 * @import { FunctionChange, MetricComparison, Profile, RunCase, Trial } from '../types.js'
 */

import jstat from 'jstat';
import { holm } from '../judge/multiple-testing.js';
import { BEYOND, estimate, mean, reach } from '../judge/mean-estimate.js';

/** Whoever is told a function that did not change looks there in vain: as rare as a false alarm. */
const RISK = 0.01;
/** Of a request: what less is not worth a look. */
const LEAST_SHARE = 0.005;

/** The share of all time, by function. @typedef {Map<string, number>} Shares */

/**
 * ratio: of the CPU time per request, the head's by the base's; error: its standard error, as a share of it
 * @typedef {{ ratio: number, error: number }} Stretch
 */

/**
 * @param {MetricComparison[]} metrics
 * @returns {Stretch | undefined} undefined where CPU time could not be compared
 */
export function stretchOf(metrics) {
  const { effectPct, ciPct } = metrics.find((of) => of.metric === 'cpuPerRequest') ?? {};
  if (effectPct === undefined || !ciPct) return undefined;
  const [low, high] = ciPct.map((pct) => Math.log1p(pct / 100));
  const errors = 2 * jstat.normal.inv(1 - BEYOND, 0, 1);
  return { ratio: 1 + effectPct / 100, error: (Number(high) - Number(low)) / errors };
}

/**
 * A round is the unit. A profile tells shares better than times, since the machine's moments hit all functions of a boot alike:
 * so the head's shares are stretched by what a whole request costs it, which the judged boots told far better. What they left
 * open counts, or a function of half a request would seem to change by half of their error. Corrected over all functions that
 * are worth a look.
 * @param {RunCase} base
 * @param {RunCase} head
 * @param {Stretch} stretch
 * @returns {FunctionChange[]} those that changed beyond doubt, the largest change first
 */
export function changedFunctions(base, head, { ratio, error: unsure }) {
  const rounds = head.trials.flatMap((trial) => {
    const other = base.trials.find(({ round }) => round === trial.round);
    const [before, after] = [other, trial].map((of) => of && sharesOf(of));
    return before && after ? [{ before, after }] : [];
  });
  const places = new Map([base, head].flatMap(({ trials }) => trials.flatMap(placesOf)));
  const candidates = [...places].flatMap(([key, place]) => {
    const parts = rounds.map(({ before, after }) => ({
      base: before.get(key) ?? 0,
      head: ratio * (after.get(key) ?? 0),
    }));
    const [basePart, headPart] = [mean(parts.map((part) => part.base)), mean(parts.map((part) => part.head))];
    const found = estimate(parts.map((part) => [part.head - part.base]));
    return found && found.df > 0 && Math.max(basePart, headPart) >= LEAST_SHARE
      ? [{ place, basePart, headPart, ...found }]
      : [];
  });
  // An unchanged function has the same share on both sides.
  const claims = candidates.map(({ basePart, effect, error, df }) => ({
    p: 2 * jstat.studentt.cdf(-Math.abs(effect) / Math.hypot(error, basePart * unsure), df),
    weight: 1,
  }));
  const held = holm(claims, RISK);
  return candidates
    .filter(({ effect }, nth) => held[nth]?.holds && Math.abs(effect) >= LEAST_SHARE)
    .map(({ place, basePart, headPart, effect, error, df }) => {
      const half = reach({ error: Math.hypot(error, headPart * unsure), df }, BEYOND);
      return {
        ...place,
        ...{ basePct: 100 * basePart, headPct: 100 * headPart, effectPct: 100 * effect },
        ciPct: /** @type {[number, number]} */ ([100 * (effect - half), 100 * (effect + half)]),
      };
    })
    .sort((a, b) => Math.abs(b.effectPct) - Math.abs(a.effectPct));
}

/** @param {Trial} trial @returns {Shares | undefined} undefined where it was not profiled */
function sharesOf({ windows, failure }) {
  const profiles = windows.flatMap((window) => window.profiles ?? []);
  const whole = profiles.flat().reduce((sum, { us }) => sum + us, 0);
  if (failure || whole === 0) return undefined;
  /** @type {Shares} */
  const shares = new Map();
  for (const profile of profiles)
    profile.forEach(({ us }, place) => {
      const key = keyOf(profile, place);
      shares.set(key, (shares.get(key) ?? 0) + us / whole);
    });
  return shares;
}

/** @param {Trial} trial @returns {[string, Pick<FunctionChange, 'name' | 'file' | 'line'>][]} */
function placesOf({ windows }) {
  return windows.flatMap(({ profiles = [] }) =>
    profiles.flatMap((profile) =>
      profile.map(({ name, file, line }, place) => [keyOf(profile, place), { name, file, line }]),
    ),
  );
}

/**
 * By its name and file, since lines move with every change; one without a name by that of its caller.
 * @param {Profile} profile
 * @param {number} place
 * @returns {string} what a function of one side is known by on the other
 */
export function keyOf(profile, place) {
  const { name, file, parent } = /** @type {Profile[number]} */ (profile[place]);
  return `${file}\n${name}${name === '' ? `\n${profile[parent]?.name ?? ''}` : ''}`;
}
