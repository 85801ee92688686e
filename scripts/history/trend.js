/**
 * A case over many runs: at which commits its ratio to the reference took a step, and how large.
 * @import { MetricId, PastRun, Trend, TrendStep } from '../types.js'
 */

import jstat from 'jstat';
import { metric, SPEEDS } from '../samples/figures.js';
import { PRIOR_RUNS } from '../judge/between-runs.js';
import { BEYOND, mean, percent } from '../judge/mean-estimate.js';

/** kind: of machine. @typedef {{ log: number, kind: string }} Value */
/** from, to: places in a list, the second one excluded. @typedef {{ from: number, to: number }} Stretch */

/**
 * A step must explain as many times the variance of a run, and the logarithm of the number of runs, as no flat history of 200
 * runs does but one in a hundred.
 */
const PRICE = 4;
/** Of neighbours; a history that resembles itself more tells nothing. */
const MOST_ALIKE = 0.9;
/** Where kinds of machine alternate, each one's part is estimated in as many passes. */
const PASSES = 3;
/** A single odd run is no level. */
const LEAST_RUNS = 2;
/** A value is drawn in that lies as many deviations from its neighbours. */
const FARTHEST = 4;
/** Neighbours of a run on either side. */
const NEAR = 3;
/** Of a normal deviate's standard deviation: what half of all deviations stay below. */
const HALF_OF_ALL = 0.6745;
/** The chance that an unchanged case shows a step where it is most likely to. */
const RISK = 0.001;
/**
 * How many squares of a run's spread a place may explain less than the best one and still be where the step is, at 95 %: twice the
 * difference of log-likelihoods that a walk to either side rises above but so often.
 * Source: D. Siegmund, "Confidence sets in change-point problems", International Statistical Review 56 (1988).
 */
const AS_LIKELY = -2 * Math.log(1 - Math.sqrt(1 - 2 * BEYOND));

/**
 * @param {PastRun[]} runs
 * @returns {Trend[]} one for each case and metric of speed that was measured at least twice
 */
export function trendsOf(runs) {
  const inOrder = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const ids = new Map(inOrder.flatMap(({ cases }) => cases.map(({ id, server }) => [id, server])));
  const byRun = inOrder.map((run) => ({ run, cases: new Map(run.cases.map((of) => [of.id, of])) }));
  const trends = [...ids].flatMap(([id, server]) =>
    SPEEDS.flatMap(({ id: of }) => {
      const seen = byRun.flatMap(({ run, cases }) => {
        const log = cases.get(id)?.beside[of]?.log;
        return log === undefined ? [] : [{ run, value: { log, kind: run.fingerprint } }];
      });
      return seen.length > 1 ? [trendOf({ id, server, metric: of }, seen)] : [];
    }),
  );
  return trends.map((trend) => withCompany(trend, trends));
}

/**
 * @param {Pick<Trend, 'id' | 'server' | 'metric'>} of
 * @param {{ run: PastRun, value: Value }[]} seen oldest first
 * @returns {Trend}
 */
function trendOf(of, seen) {
  const values = seen.map(({ value }) => value);
  const found = levelsOf(values);
  const { steps, stretches } = stepsOf(values, { ...found, metric: of.metric });
  const points = stretches.flatMap(({ from, to }) => {
    const levels = medianByKind(values.slice(from, to));
    return seen.slice(from, to).map(({ run, value }) => ({
      ...{ run: run.id, at: run.startedAt, fingerprint: run.fingerprint },
      ...(run.sha !== undefined && { sha: run.sha }),
      ratio: Math.exp(value.log),
      level: Math.exp(levels.get(value.kind) ?? 0),
    }));
  });
  return { ...of, points, steps, spreadPct: percent(found.spread) };
}

/**
 * Kinds of machine have levels of their own, which take turns on hosted runners: they are estimated together with the
 * steps, each in its turn.
 * @param {Value[]} values
 * @returns {{ stretches: Stretch[], sums: Float64Array } & ReturnType<typeof spreadOf>} sums: of the values before each place,
 *   without what a kind of machine adds, and without what only one run shows
 */
function levelsOf(values) {
  let effects = medianByKind(values);
  let stretches = [{ from: 0, to: values.length }];
  let noise = { spread: 0, alike: 1 };
  const sums = new Float64Array(values.length + 1);
  for (let pass = 0; pass < (effects.size > 1 ? PASSES : 1); pass++) {
    const levels = values.map(({ log, kind }) => log - (effects.get(kind) ?? 0));
    noise = spreadOf(levels);
    for (const [place, value] of drawnIn(levels, noise.spread).entries())
      sums[place + 1] = /** @type {number} */ (sums[place]) + value;
    const price = PRICE * noise.spread ** 2 * noise.alike * Math.log(values.length);
    stretches = segment(sums, price);
    const means = stretches.map(({ from, to }) => mean(levels.slice(from, to)));
    const rests = stretches.flatMap(({ from, to }, nth) =>
      values.slice(from, to).map(({ log, kind }) => ({ log: log - (means[nth] ?? 0), kind })),
    );
    effects = medianByKind(rests);
  }
  return { stretches, sums, ...noise };
}

/**
 * @param {Value[]} values
 * @returns {Map<string, number>}
 */
function medianByKind(values) {
  /** @type {Map<string, number[]>} */
  const byKind = new Map();
  for (const { log, kind } of values) {
    const logs = byKind.get(kind);
    if (logs) logs.push(log);
    else byKind.set(kind, [log]);
  }
  return new Map([...byKind].map(([kind, logs]) => [kind, median(logs)]));
}

/**
 * From differences of neighbours, which a step enters but once. Where runs resemble their neighbours, as they do while a
 * machine has a bad week, those next but one are farther apart, and many runs tell less than they would.
 * @param {number[]} values
 * @returns {{ spread: number, alike: number }} spread: a standard deviation; alike: as many runs tell what one would whose
 *   neighbours were not like it
 */
function spreadOf(values) {
  const near = median(differences(values, 1).map(Math.abs)) / HALF_OF_ALL;
  if (near === 0 || values.length < 3) return { spread: near / Math.SQRT2, alike: 1 };
  const tame = drawnIn(values, near / Math.SQRT2);
  const squares = (/** @type {number} */ lag) => mean(differences(tame, lag).map((apart) => apart ** 2));
  // Of an autoregressive process of first order: the quotient of these two is 1 and the correlation of neighbours.
  const correlation = Math.min(MOST_ALIKE, Math.max(0, squares(2) / squares(1) - 1));
  return {
    spread: near / Math.sqrt(2 * (1 - correlation)),
    alike: (1 + correlation) / (1 - correlation),
  };
}

/**
 * @param {number[]} values
 * @param {number} lag
 */
function differences(values, lag) {
  return values.slice(lag).map((value, place) => value - /** @type {number} */ (values[place]));
}

/**
 * @param {number[]} values
 * @param {number} spread
 * @returns {number[]} none farther from its neighbours than a good run can be
 */
function drawnIn(values, spread) {
  return values.map((value, place) => {
    const centre = median(values.slice(Math.max(0, place - NEAR), place + NEAR + 1));
    return Math.min(centre + FARTHEST * spread, Math.max(centre - FARTHEST * spread, value));
  });
}

/**
 * Where levels end: of many intervals, the narrowest in which a step pays its price has one, and what lies on either side of
 * it is searched again. Narrow ones come first, since they hold one step alone.
 * Source: S. Kovács, P. Bühlmann, H. Li, A. Munk, "Seeded binary segmentation: a general methodology for fast and optimal
 * changepoint detection", Biometrika 110 (2023).
 * @param {Float64Array} sums of the values before each place
 * @param {number} price what a step must explain, in squares of the values' unit
 * @returns {Stretch[]}
 */
function segment(sums, price) {
  const length = sums.length - 1;
  const found = intervalsOf(length)
    .map((interval) => ({ ...interval, ...bestSplit(sums, interval) }))
    .filter(({ gain }) => gain > price)
    .sort((a, b) => a.to - a.from - (b.to - b.from));
  /** @type {number[]} */
  const bounds = [];
  let left = found;
  for (let [first] = left; first; [first] = left) {
    const { at } = first;
    bounds.push(at);
    left = left.filter(({ from, to }) => at <= from || at >= to);
  }
  const ends = [0, ...bounds.sort((a, b) => a - b), length];
  // A narrow interval tells that there is a step, its whole surroundings where.
  for (let nth = 1; nth < ends.length - 1; nth++) {
    const [from, to] = /** @type {[number, number]} */ ([ends[nth - 1], ends[nth + 1]]);
    ends[nth] = bestSplit(sums, { from, to }).at;
  }
  return ends.slice(1).map((to, nth) => ({ from: /** @type {number} */ (ends[nth]), to }));
}

/**
 * @param {number} length
 * @returns {Stretch[]} the whole, and each layer's intervals, which overlap by half and are shorter by the root of two
 */
function intervalsOf(length) {
  const layers = Math.floor(2 * Math.log2(length / LEAST_RUNS / 2));
  return range(0, Math.max(0, layers)).flatMap((layer) => {
    const wide = length * Math.SQRT1_2 ** layer;
    const count = 2 * Math.ceil(Math.SQRT2 ** layer) - 1;
    const step = count > 1 ? (length - wide) / (count - 1) : 0;
    return range(0, count).map((nth) => ({
      from: Math.floor(nth * step),
      to: Math.min(length, Math.ceil(nth * step + wide)),
    }));
  });
}

/**
 * @param {Float64Array} sums of the values before each place
 * @param {Stretch} stretch
 * @returns {{ at: number, gain: number }} where two levels explain it better than one, by most squares
 */
function bestSplit(sums, stretch) {
  const best = { at: stretch.from, gain: 0 };
  for (let at = stretch.from + LEAST_RUNS; at <= stretch.to - LEAST_RUNS; at++) {
    const gain = gainOf(sums, stretch, at);
    if (gain > best.gain) Object.assign(best, { at, gain });
  }
  return best;
}

/**
 * @param {Float64Array} sums
 * @param {Stretch} stretch
 * @param {number} at
 */
function gainOf(sums, { from, to }, at) {
  const [start = 0, split = 0, end = 0] = [sums[from], sums[at], sums[to]];
  const [ones, others] = [at - from, to - at];
  return (((split - start) / ones - (end - split) / others) ** 2 * ones * others) / (to - from);
}

/**
 * @param {Float64Array} sums
 * @param {Stretch} stretch with a step in it
 * @param {number} less than the best place a likely one may explain
 * @returns {[number, number]} the first and the last likely place
 */
function placesOf(sums, stretch, less) {
  const { gain: most } = bestSplit(sums, stretch);
  const likely = range(stretch.from + LEAST_RUNS, stretch.to - LEAST_RUNS + 1).filter(
    (at) => gainOf(sums, stretch, at) >= most - less,
  );
  return [Math.min(...likely), Math.max(...likely)];
}

/** @param {number} from @param {number} to excluded */
function range(from, to) {
  return Array.from({ length: to - from }, (_, place) => from + place);
}

/**
 * A boundary stays where the runs on both sides of it, on the kinds of machine that they share, are apart by more than runs
 * are; the weakest goes first, since its neighbours then have more runs to stand on. Where the kind of machine changed with
 * the boundary, nothing can be told.
 * @param {Value[]} values
 * @param {ReturnType<typeof levelsOf> & { metric: MetricId }} found
 * @returns {{ steps: TrendStep[], stretches: Stretch[] }} those that stay
 */
function stepsOf(values, { stretches, sums, spread, alike, metric: id }) {
  const kept = [...stretches];
  for (;;) {
    const bounds = kept.slice(1).map((behind, nth) => {
      const ahead = /** @type {Stretch} */ (kept[nth]);
      const sides = [ahead, behind].map(({ from, to }) => values.slice(from, to));
      const around = { from: ahead.from, to: behind.to };
      return { at: behind.from, around, ...apart(sides, { metric: id, alike }) };
    });
    const weakest = bounds.toSorted((one, other) => other.chance - one.chance)[0];
    if (!weakest || weakest.chance <= RISK) {
      const steps = bounds.map(({ at, around, effect, half }) => ({
        at,
        within: placesOf(sums, around, AS_LIKELY * spread ** 2 * alike),
        better: effect > 0 === (metric(id).better === 'more'),
        effectPct: percent(effect),
        ciPct: /** @type {[number, number]} */ ([percent(effect - half), percent(effect + half)]),
      }));
      return { steps, stretches: kept };
    }
    kept.splice(bounds.indexOf(weakest), 2, weakest.around);
  }
}

/**
 * How far runs lie apart is learned from these, beginning with the cautious guess of verdicts against stored runs.
 * @param {Value[][]} sides before and behind
 * @param {{ metric: MetricId, alike: number }} of
 * @returns {{ effect: number, half: number, chance: number }} logarithms; half: of the interval; chance: that unchanged
 *   runs are as far apart
 */
function apart([ones = [], others = []], { metric: id, alike }) {
  const parts = [...new Set(ones.map(({ kind }) => kind))].flatMap((kind) => {
    const [before, behind] = [ones, others].map((side) =>
      side.filter((each) => each.kind === kind).map(({ log }) => log),
    );
    if (!before?.length || !behind?.length) return [];
    const [from, to] = [mean(before), mean(behind)];
    const squares = [...before.map((log) => log - from), ...behind.map((log) => log - to)];
    return [
      {
        apart: to - from,
        weight: 1 / (1 / before.length + 1 / behind.length),
        squares: squares.reduce((sum, off) => sum + off ** 2, 0),
        freedom: before.length + behind.length - 2,
      },
    ];
  });
  const sum = (/** @type {(part: (typeof parts)[number]) => number} */ of) =>
    parts.reduce((all, part) => all + of(part), 0);
  const weight = sum((part) => part.weight);
  if (weight === 0) return { effect: 0, half: Number.POSITIVE_INFINITY, chance: 1 };
  const df = PRIOR_RUNS + sum(({ freedom }) => freedom);
  const guess = metric(id).judged.spread.besideReference ** 2;
  const variance = (PRIOR_RUNS * guess + sum(({ squares }) => squares)) / df;
  const error = Math.sqrt((variance * alike) / weight);
  const effect = sum((part) => part.weight * part.apart) / weight;
  return {
    effect,
    half: jstat.studentt.inv(1 - BEYOND, df) * error,
    chance: 2 * jstat.studentt.cdf(-Math.abs(effect) / error, df),
  };
}

/**
 * @param {Trend} trend
 * @param {Trend[]} all
 * @returns {Trend} its steps marked that every server took: then the machine, the runtime or the reference did it
 */
function withCompany(trend, all) {
  const others = all.filter(({ metric: id, server }) => id === trend.metric && server !== trend.server);
  const servers = [...new Set(others.map(({ server }) => server))];
  const steps = trend.steps.map((step) => {
    const [first, last] = timesOf(step, trend);
    const joins = (/** @type {Trend} */ other) =>
      other.steps.some((each) => {
        const [from, to] = timesOf(each, other);
        return each.better === step.better && from <= last && to >= first;
      });
    const isEverywhere =
      servers.length > 0 &&
      servers.every((server) => others.some((other) => other.server === server && joins(other)));
    return { ...step, ...(isEverywhere && { everywhere: /** @type {const} */ (true) }) };
  });
  return { ...trend, steps };
}

/**
 * @param {TrendStep} step
 * @param {Trend} trend
 * @returns {[string, string]} between which times it was taken
 */
function timesOf({ within }, { points }) {
  const [first = '', last = ''] = within.map((place) => points[place]?.at);
  return [first, last];
}

/** @param {number[]} values */
function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
