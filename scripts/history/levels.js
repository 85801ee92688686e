/** Divides a history into stretches of one level each, on several kinds of machine. */

import { cumsum, mean, median, pairs, range, rollup } from 'd3-array';

/** kind: of machine. @typedef {{ log: number, kind: string }} Value */
/** Places in a list, the second one excluded. @typedef {{ from: number, to: number }} Stretch */
/**
 * sums: of values before each place, without what a kind of machine adds and outliers; spread: the standard
 * deviation of runs of a level; alike: so many runs say as much as one if neighbours were unrelated.
 * @typedef {{ stretches: Stretch[], sums: Float64Array, spread: number, alike: number }} Levels
 */

/**
 * A step must explain this many times the variance of a run and the logarithm of the number of runs: one in a
 * hundred flat histories of 200 runs has such a place.
 */
const PRICE = 4;
/** The highest correlation of neighbours; a history that resembles itself more says nothing. */
const MOST_ALIKE = 0.9;
/** Where kinds of machine alternate, the part of each is estimated in this many passes. */
const PASSES = 3;
/** A single odd run does not make a level. */
export const LEAST_RUNS = 2;
/** A value farther from its neighbours than this many deviations is drawn in. */
const FARTHEST = 4;
/** Neighbours of a run on either side. */
const NEAR = 3;
/** Half of normal deviates are within this part of their standard deviation, in either direction. */
const HALF_OF_ALL = 0.6745;

/**
 * Kinds of machine have levels of their own and alternate on hosted runners, so they are estimated together
 * with the steps.
 * @type {(values: Value[]) => Levels}
 */
export function levelsOf(values) {
  let effects = mediansByKind(values);
  let stretches = [{ from: 0, to: values.length }];
  let noise = { spread: 0, alike: 1 };
  const sums = new Float64Array(values.length + 1);
  for (let pass = 0; pass < (effects.size > 1 ? PASSES : 1); pass++) {
    const levels = values.map(({ log, kind }) => log - (effects.get(kind) ?? 0));
    noise = spreadOf(levels);
    sums.set(cumsum(drawnIn(levels, noise.spread)), 1);
    const price = PRICE * noise.spread ** 2 * noise.alike * Math.log(values.length);
    stretches = segment(sums, price);
    const rests = stretches.flatMap(({ from, to }) => {
      const level = mean(levels.slice(from, to)) ?? 0;
      return values.slice(from, to).map(({ log, kind }) => ({ log: log - level, kind }));
    });
    effects = mediansByKind(rests);
  }
  return { stretches, sums, ...noise };
}

/** @type {(values: Value[]) => Map<string, number>} */
export function mediansByKind(values) {
  return rollup(
    values,
    (alike) => median(alike, ({ log }) => log) ?? 0,
    ({ kind }) => kind,
  );
}

/**
 * @param {Float64Array} sums of the values before each place
 * @param {Stretch} stretch with a step in it
 * @param {number} less than the best place a likely one may explain
 * @returns {[number, number]} the first and the last likely place
 */
export function placesOf(sums, stretch, less) {
  const { gain: most } = bestSplit(sums, stretch);
  const likely = range(stretch.from + LEAST_RUNS, stretch.to - LEAST_RUNS + 1).filter(
    (place) => gainOf(sums, stretch, place) >= most - less,
  );
  return [Math.min(...likely), Math.max(...likely)];
}

/**
 * Learned from differences of neighbours, which a step enters only once. Where runs resemble their
 * neighbours, as in a machine's bad week, those next but one lie farther apart, and many runs say less.
 * @type {(values: number[]) => { spread: number, alike: number }}
 */
function spreadOf(values) {
  const near = (median(differences(values, 1).map(Math.abs)) ?? Number.NaN) / HALF_OF_ALL;
  if (near === 0 || values.length < 3) return { spread: near / Math.SQRT2, alike: 1 };
  const tame = drawnIn(values, near / Math.SQRT2);
  const squares = (/** @type {number} */ lag) => mean(differences(tame, lag), (apart) => apart ** 2) ?? 0;
  // In an autoregressive process of first order, the quotient of these two is 1 plus the correlation of
  // neighbours.
  const correlation = Math.min(MOST_ALIKE, Math.max(0, squares(2) / squares(1) - 1));
  return { spread: near / Math.sqrt(2 * (1 - correlation)), alike: (1 + correlation) / (1 - correlation) };
}

/** @type {(values: number[], lag: number) => number[]} */
function differences(values, lag) {
  return values.slice(lag).map((value, place) => value - /** @type {number} */ (values[place]));
}

/**
 * None farther from its neighbours than a good run can be.
 * @type {(values: number[], spread: number) => number[]}
 */
function drawnIn(values, spread) {
  return values.map((value, place) => {
    const centre = median(values.slice(Math.max(0, place - NEAR), place + NEAR + 1)) ?? value;
    return Math.min(centre + FARTHEST * spread, Math.max(centre - FARTHEST * spread, value));
  });
}

/**
 * Among many intervals, the narrowest in which a step pays its price has one, and what lies on either side of
 * it is searched again. Narrow intervals come first, since they hold one step alone. The sums are of the
 * values before each place; the price is what a step must explain, in squares of the values' unit. Source: S.
 * Kovács, P. Bühlmann, H. Li, A. Munk, "Seeded binary segmentation: a general methodology for fast and
 * optimal changepoint detection", Biometrika 110 (2023).
 * @type {(sums: Float64Array, price: number) => Stretch[]}
 */
function segment(sums, price) {
  let left = intervalsOf(sums.length - 1)
    .map((interval) => ({ ...interval, ...bestSplit(sums, interval) }))
    .filter(({ gain }) => gain > price)
    .sort((a, b) => a.to - a.from - (b.to - b.from));
  /** @type {number[]} */
  const bounds = [];
  for (let [first] = left; first; [first] = left) {
    const { place } = first;
    bounds.push(place);
    left = left.filter(({ from, to }) => place <= from || place >= to);
  }
  const ends = [0, ...bounds.sort((a, b) => a - b), sums.length - 1];
  // A narrow interval shows that there is a step, its whole surroundings show where.
  for (let nth = 1; nth < ends.length - 1; nth++) {
    const [from = 0, , to = 0] = ends.slice(nth - 1);
    ends[nth] = bestSplit(sums, { from, to }).place;
  }
  return pairs(ends, (from, to) => ({ from, to }));
}

/**
 * The whole, and each layer's, which overlap by half and are shorter by the root of two.
 * @type {(length: number) => Stretch[]}
 */
function intervalsOf(length) {
  const layers = Math.floor(2 * Math.log2(length / LEAST_RUNS / 2));
  return range(layers).flatMap((layer) => {
    const wide = length * Math.SQRT1_2 ** layer;
    const count = 2 * Math.ceil(Math.SQRT2 ** layer) - 1;
    const step = count > 1 ? (length - wide) / (count - 1) : 0;
    const endOf = (/** @type {number} */ from) => Math.min(length, Math.ceil(from + wide));
    return range(count).map((nth) => ({ from: Math.floor(nth * step), to: endOf(nth * step) }));
  });
}

/**
 * Where two levels explain more squares of the values than one.
 * @type {(sums: Float64Array, stretch: Stretch) => { place: number, gain: number }}
 */
function bestSplit(sums, stretch) {
  const best = { place: stretch.from, gain: 0 };
  for (let place = stretch.from + LEAST_RUNS; place <= stretch.to - LEAST_RUNS; place++) {
    const gain = gainOf(sums, stretch, place);
    if (gain > best.gain) Object.assign(best, { place, gain });
  }
  return best;
}

/** @type {(sums: Float64Array, stretch: Stretch, place: number) => number} */
function gainOf(sums, { from, to }, place) {
  const [start = 0, split = 0, end = 0] = [sums[from], sums[place], sums[to]];
  const [ones, others] = [place - from, to - place];
  return (((split - start) / ones - (end - split) / others) ** 2 * ones * others) / (to - from);
}
