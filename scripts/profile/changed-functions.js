/**
 * Finds the functions whose cost per request changed, in profiled starts of both sides.
 * @import { FunctionChange, MetricComparison, Profile, RunCase, Trial } from '../types.js'
 */

import { least, mean, sum, zip } from 'd3-array';
import jstat from 'jstat';
import { FEW_ROUNDS, holm } from '../judge/verdicts.js';
import { estimate } from '../judge/mean-estimate.js';
import { BEYOND, halfWidth } from '../samples/interval.js';

/** As rare as a false alarm: a reader looks in vain into a function that did not change. */
const RISK = 0.01;
/** The least share of a request that is worth a look. */
const LEAST_SHARE = 0.005;
/** By this share of a function's cost, starts of an unchanged Express differed (standard deviation). */
const OF_START = 0.25;
/** A caller that costs more because of one function that it calls costs little else more. */
const MOST_OF_IT = 0.8;
/** Files of the server itself: not V8's, Node's or the JDK's, nor a package's. */
const OWN = /^(?!node:|(?:.*\/)?node_modules\/).*(?:\/|\.[cm]?[jt]sx?$)/;

/**
 * The CPU time per request. ratio: the head's by the base's; error: its standard error, as a share of it
 * @typedef {{ ratio: number, error: number }} Stretch
 */

/**
 * Undefined if CPU time could not be compared.
 * @type {(metrics: MetricComparison[]) => Stretch | undefined}
 */
export function stretchOf(metrics) {
  const { effectPct, ciPct } = metrics.find(({ metric }) => metric === 'cpuPerRequest') ?? {};
  if (effectPct === undefined || !ciPct) return undefined;
  const [low, high] = ciPct;
  const errors = 2 * jstat.normal.inv(1 - BEYOND, 0, 1);
  return { ratio: 1 + effectPct / 100, error: (Math.log1p(high / 100) - Math.log1p(low / 100)) / errors };
}

/**
 * The functions that changed beyond doubt, the largest change first. Rounds are the units; where a budget has
 * left few, parts of profiles are, and how starts differ is not measured but assumed. A profile shows shares
 * more precisely than times, since the machine's moments hit all functions of a start alike, so the head's
 * shares are multiplied by the ratio of the judged starts. The error of that ratio counts, or a function of
 * half a request would seem to change by half of it. Corrected for the number of functions that are worth a
 * look. `withCalls` counts a function's cost together with that of what it calls.
 * @type {(base: RunCase, head: RunCase, stretch: Stretch & { withCalls?: boolean }) => FunctionChange[]}
 */
export function changedFunctions(base, head, { ratio, error: ratioError, withCalls = false }) {
  const rounds = head.trials.flatMap((trial) => {
    const before = base.trials.find(({ round }) => round === trial.round);
    const sides = [before, trial].map(profilesOf);
    return sides.every(({ us }) => us > 0) ? [sides.map(({ profiles }) => profiles)] : [];
  });
  const parts = rounds.flatMap((sides) => zip(...sides).map((pair) => pair.map((profile) => [profile])));
  const isByPart = rounds.length < FEW_ROUNDS && parts.length > rounds.length;
  const ofStart = isByPart ? OF_START / Math.sqrt(rounds.length) : 0;
  const units = (isByPart ? parts : rounds).flatMap((sides) => {
    const [before, after] = sides.map((profiles) => sharesOf(profiles, withCalls));
    return before && after ? [{ before, after }] : [];
  });
  const places = new Map([base, head].flatMap(({ trials }) => trials.flatMap(placesOf)));
  const candidates = [...places].flatMap(([key, place]) => {
    const shares = units.map(({ before, after }) => ({
      base: before.get(key) ?? 0,
      head: ratio * (after.get(key) ?? 0),
    }));
    const baseShare = mean(shares, (share) => share.base) ?? 0;
    const headShare = mean(shares, (share) => share.head) ?? 0;
    const change = estimate(shares.map((share) => [share.head - share.base]));
    const isWorthALook = Math.max(baseShare, headShare) >= LEAST_SHARE;
    if (!change || change.df <= 0 || !isWorthALook) return [];
    const error = Math.hypot(change.error, (ofStart * (baseShare + headShare)) / 2);
    // The assumed part of the error has no degrees of freedom of its own (Satterthwaite 1946).
    const df = change.df * (error / change.error) ** 4;
    return [{ place, baseShare, headShare, effect: change.effect, error, df }];
  });
  // An unchanged function has the same share on both sides.
  const claims = candidates.map(({ baseShare, effect, error, df }) => ({
    p: 2 * jstat.studentt.cdf(-Math.abs(effect) / Math.hypot(error, baseShare * ratioError), df),
    weight: 1,
  }));
  const decisions = holm(claims, RISK);
  return candidates
    .filter(({ effect }, index) => decisions[index]?.holds && Math.abs(effect) >= LEAST_SHARE)
    .map(({ place, baseShare, headShare, effect, error, df }) => {
      const half = halfWidth({ error: Math.hypot(error, headShare * ratioError), df });
      return {
        ...place,
        basePct: 100 * baseShare,
        headPct: 100 * headShare,
        effectPct: 100 * effect,
        ciPct: /** @type {[number, number]} */ ([100 * (effect - half), 100 * (effect + half)]),
      };
    })
    .sort((a, b) => Math.abs(b.effectPct) - Math.abs(a.effectPct));
}

/**
 * The innermost of the server's own functions that costs, with what it calls, nearly all of what the head
 * costs more: a change in one line shows below it as many functions of Node.
 * @type {(base: RunCase, head: RunCase, stretch: Stretch) => FunctionChange | undefined}
 */
export function functionToBlame(base, head, stretch) {
  const grown = changedFunctions(base, head, { ...stretch, withCalls: true }).filter(
    ({ file, effectPct }) => effectPct > 0 && OWN.test(file),
  );
  const enough = MOST_OF_IT * (grown[0]?.effectPct ?? 0);
  // A caller comes before what it calls, so the last of equals is the innermost.
  const all = grown.filter(({ effectPct }) => effectPct >= enough).toReversed();
  return least(all, ({ headPct }) => headPct);
}

/**
 * Shares by function; undefined where nothing ran.
 * @type {(profiles: Profile[], withCalls: boolean) => Map<string, number> | undefined}
 */
function sharesOf(profiles, withCalls) {
  const whole = costOf(profiles);
  if (whole === 0) return undefined;
  /** @type {Map<string, number>} */
  const shares = new Map();
  for (const profile of profiles)
    for (const [index, { us, parent }] of profile.entries()) {
      // A function that calls itself counts once.
      const keys = new Set([keyOf(profile, index)]);
      for (let at = parent; withCalls && us > 0 && at >= 0; at = profile[at]?.parent ?? -1)
        keys.add(keyOf(profile, at));
      for (const key of keys) shares.set(key, (shares.get(key) ?? 0) + us / whole);
    }
  return shares;
}

/** A start that failed has none. @type {(trial: Trial | undefined) => { profiles: Profile[], us: number }} */
export function profilesOf(trial) {
  const windows = trial && !trial.failure ? trial.windows : [];
  const profiles = windows.flatMap((window) => window.profiles ?? []);
  return { profiles, us: costOf(profiles) };
}

/** Microseconds. @param {Profile[]} profiles */
function costOf(profiles) {
  return sum(profiles.flat(), ({ us }) => us);
}

/** @type {(trial: Trial) => [string, Pick<FunctionChange, 'name' | 'file' | 'line'>][]} */
function placesOf({ windows }) {
  return windows.flatMap(({ profiles = [] }) =>
    profiles.flatMap((profile) =>
      profile.map(({ name, file, line }, index) => [keyOf(profile, index), { name, file, line }]),
    ),
  );
}

/**
 * Identifies a function on both sides by name and file, since lines move; one without a name by its caller's.
 * @type {(profile: Profile, index: number) => string}
 */
export function keyOf(profile, index) {
  const { name, file, parent } = /** @type {Profile[number]} */ (profile[index]);
  return `${file}\n${name}${name === '' ? `\n${profile[parent]?.name ?? ''}` : ''}`;
}
