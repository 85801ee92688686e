/**
 * Figures of windows and starts, by side, in the charts' own shapes.
 * @import { MetricComparison, RunCase, Trial, Window } from '../../types.js'
 * @import { Curve } from '../charts/percentiles.js'
 * @import { Strip } from '../charts/strip.js'
 * @import { Course, Lane } from '../charts/time.js'
 * @import { Point } from '../charts/svg.js'
 * @import { Words } from '../text/words.js'
 */

import { mean } from 'd3-array';
import { DISTURBED, othersShare } from '../../model/interference.js';
import { FIGURES } from '../../samples/figures.js';
import { figureIn } from '../../samples/samples.js';

/** kind: a class, whose it is; name: as people read it @typedef {{ kind: string, name: string, of: RunCase }} Side */
/** most: points of one side in one lane @typedef {{ most: number, words: Words }} Context */

/** Points of a curve: more cannot be told apart. */
const CURVE = 30;
/** Rarer requests than one in a hundred thousand say nothing in runs of minutes. */
const MOST_NINES = 5;
/** How a unit is drawn: a factor, and the format of its axis. @type {Record<string, [number, 'compact' | 'count' | 'milliseconds']>} */
const AXES = { bytes: [1e-6, 'compact'], share: [100, 'compact'], ms: [1, 'milliseconds'], '': [1, 'count'] };

/**
 * @param {Side[]} sides measured in the same session
 * @param {Context} context
 * @returns {Course | undefined} undefined where the file does not say when the windows were
 */
export function courseOf(sides, context) {
  const lanes = lanesOf(sides, context).filter((lane) =>
    lane.sides.some(({ boots }) => boots.some(({ length }) => length > 0)),
  );
  if (lanes.length === 0) return undefined;
  const windows = sides.flatMap(({ of }) => windowsOf(of)).filter(({ at }) => at !== undefined);
  const busy = windows
    .filter((window) => othersShare(window) > DISTURBED)
    .map(({ at = 0, seconds }) => /** @type {[number, number]} */ ([at, at + seconds]));
  const last = Math.max(...windows.map(({ at = 0 }) => at));
  return { lanes, busy: joined(busy, last / 100) };
}

/**
 * @param {Side[]} sides
 * @param {Context} context
 * @returns {Lane[]} one a figure that has one, and throughput while warming up
 */
function lanesOf(sides, { most, words }) {
  const { charts } = words.page;
  const drawn = (/** @type {(trial: Trial) => Point[]} */ points) =>
    sides.map(({ kind, of }) => ({ kind, boots: thinned(goodTrials(of).map(points), most) }));
  return FIGURES.flatMap(({ id, unit, lane }) => {
    if (!lane) return [];
    const [factor, format] = AXES[unit] ?? [1, 'compact'];
    const growth = id === 'memory' ? growthText(sides, words) : undefined;
    /** @type {Lane} */
    const measured = {
      name: charts[/** @type {'throughput'} */ (lane.name)],
      format: words[format],
      sides: drawn(({ windows }) => pointsOf(windows, { id, factor })),
      ...(growth !== undefined && { told: growth }),
      ...(lane.fromZero && { fromZero: true }),
    };
    if (id !== 'throughput') return [measured];
    const warmingUp = drawn(({ warmup }) => pointsOf(warmup?.windows ?? [], { id, factor }));
    return [measured, { name: charts.warmup, format: words.compact, sides: warmingUp, fromZero: true }];
  });
}

/** @param {Side[]} sides @returns {Strip[]} requests a second of every window */
export function stripsOf(sides) {
  return sides.map(({ kind, of }) => ({
    kind,
    values: windowsOf(of).flatMap((window) => figureIn('throughput', [window]) ?? []),
  }));
}

/**
 * @param {Side[]} sides
 * @returns {Curve[]} of all requests where the boots kept their latencies, of what percentiles were told where not
 */
export function curvesOf(sides) {
  return sides.flatMap(({ kind, of }) => {
    const points = counted(goodTrials(of)) ?? toldPercentiles(of);
    return points.length > 1 ? [{ kind, points }] : [];
  });
}

/** @param {Trial[]} trials @returns {Curve['points'] | undefined} undefined where a boot kept none */
function counted(trials) {
  if (!trials.some(({ latencies }) => latencies)) return undefined;
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const { latencies } of trials)
    for (const [place, us] of (latencies?.us ?? []).entries())
      counts.set(us, (counts.get(us) ?? 0) + (latencies?.counts[place] ?? 0));
  const values = [...counts].toSorted(([a], [b]) => a - b);
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  const last = Math.min(MOST_NINES, Math.log10(total));
  let place = -1;
  let within = 0;
  return Array.from({ length: CURVE + 1 }, (_, step) => {
    const nines = (last * step) / CURVE;
    const wanted = Math.max(1, (1 - 10 ** -nines) * total);
    while (within < wanted && place + 1 < values.length) within += values[++place]?.[1] ?? 0;
    return /** @type {[number, number]} */ ([nines, (values[Math.max(0, place)]?.[0] ?? 0) / 1000]);
  }).filter(([nines, ms]) => Number.isFinite(nines) && ms > 0);
}

/** @type {[keyof NonNullable<Window['latencyMs']>, number][]} */
const TOLD = [
  ['p50', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p97_5', 0.975],
  ['p99', 0.99],
  ['p99_9', 0.999],
];

/** @param {RunCase} of @returns {Curve['points']} */
function toldPercentiles({ summary }) {
  return TOLD.flatMap(([name, share]) => {
    const ms = summary?.latencyMs?.[name];
    return typeof ms === 'number' && ms > 0
      ? [/** @type {[number, number]} */ ([-Math.log10(1 - share), ms])]
      : [];
  });
}

/**
 * @param {Side[]} sides
 * @param {Words} words
 * @returns {string | undefined} how fast memory grew within a start
 */
function growthText(sides, { page }) {
  const slopes = sides.flatMap(({ name, of }) => {
    const slope = figureIn('memorySlope', windowsOf(of));
    return slope === undefined ? [] : [{ name, mbPerSecond: slope / 1e6 }];
  });
  return slopes.length > 0 ? page.charts.growth(slopes) : undefined;
}

/** @param {RunCase} of */
function goodTrials({ trials }) {
  return trials.filter(({ failure, windows }) => !failure && windows.length > 0);
}

/** @param {RunCase} of */
function windowsOf(of) {
  return goodTrials(of).flatMap(({ windows }) => windows);
}

/**
 * @param {Window[]} windows
 * @param {{ id: string, factor: number }} figure
 * @returns {Point[]} in the middle of each window
 */
function pointsOf(windows, { id, factor }) {
  return windows.flatMap((window) => {
    const value = figureIn(id, [window]);
    return window.at === undefined || value === undefined || !Number.isFinite(value)
      ? []
      : [/** @type {Point} */ ([window.at + window.seconds / 2, factor * value])];
  });
}

/**
 * @param {Point[][]} boots
 * @param {number} most
 * @returns {Point[][]} as they are, or the means of neighbours, which belong to no boot
 */
function thinned(boots, most) {
  const all = boots.flat();
  const size = Math.ceil(all.length / most);
  if (size < 2) return boots;
  const groups = Array.from({ length: Math.ceil(all.length / size) }, (_, group) =>
    all.slice(group * size, (group + 1) * size),
  );
  return groups.map((points) => [[mean(points, ([x]) => x) ?? 0, mean(points, ([, y]) => y) ?? 0]]);
}

/**
 * @param {[number, number][]} spans
 * @param {number} gap that cannot be seen
 * @returns {[number, number][]} those that touch, or nearly, as one
 */
function joined(spans, gap) {
  /** @type {[number, number][]} */
  const all = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last && from <= last[1] + gap) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** @param {MetricComparison} change @returns {boolean} whether it can be drawn */
export function isDrawn({ effectPct }) {
  return effectPct !== undefined && Number.isFinite(effectPct);
}
