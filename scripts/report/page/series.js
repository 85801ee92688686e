/**
 * Figures of windows and starts, by side, in the charts' own shapes.
 * @import { Figure, MetricComparison, RunCase, Window } from '../../types.js'
 * @import { Curve } from '../charts/percentiles.js'
 * @import { Course, Lane } from '../charts/over-time.js'
 * @import { Point } from '../charts/svg.js'
 * @import { Words } from '../text/words.js'
 */

import { bisectLeft, cumsum, max, mean, range } from 'd3-array';
import { DISTURBED, othersShare } from '../../model/interference.js';
import { FIGURES } from '../../samples/figures.js';
import { mergeLatencies, PERCENTILES } from '../../samples/latencies.js';
import { figureIn, startsOf, windowsOf } from '../../samples/case-figures.js';
import { changeText, headingOf, labelOf } from '../text/change-words.js';

/** A kind is a class; people read names. @typedef {{ kind: string, name: string, runCase: RunCase }} Side */

/** Parts of the time that a pointer can hit. */
const PARTS = 30;
/** Points of a curve: more cannot be told apart. */
const CURVE = 30;
/** Rarer requests than one in a hundred thousand say nothing in runs of minutes. */
const MOST_NINES = 5;
/** A unit's factor, and its axis. @type {Record<string, [number, 'compact' | 'count' | 'milliseconds']>} */
const AXES = { bytes: [1e-6, 'compact'], share: [100, 'compact'], ms: [1, 'milliseconds'], '': [1, 'count'] };

/**
 * @param {Side[]} sides measured in the same session
 * @param {{ most: number, words: Words }} context most: points of one side in one lane
 * @returns {Course | undefined} undefined where the file does not say when the windows were
 */
export function courseOf(sides, context) {
  const lanes = FIGURES.flatMap((figure) => lanesOf(figure, sides, context)).filter((lane) =>
    lane.sides.some(({ starts }) => starts.flat().length > 0),
  );
  if (lanes.length === 0) return undefined;
  const windows = sides.flatMap(({ runCase }) => windowsOf(runCase)).filter(({ at }) => at !== undefined);
  const busy = windows
    .filter((window) => othersShare(window) > DISTURBED)
    .map(({ at = 0, seconds }) => /** @type {[number, number]} */ ([at, at + seconds]));
  const gap = (max(windows, ({ at }) => at) ?? 0) / 100;
  return { lanes, busy: joined(busy, gap), parts: Math.min(PARTS, context.most) };
}

/**
 * A figure may have no lane; throughput has a second one for the warm-up.
 * @type {(figure: Figure, sides: Side[], context: { most: number, words: Words }) => Lane[]}
 */
function lanesOf(row, sides, { most, words }) {
  const { id, unit, lane } = row;
  if (!lane) return [];
  const { charts } = words.page;
  const [factor, format] = AXES[unit] ?? [1, 'compact'];
  const { slope } = lane;
  const growths =
    slope === undefined ? [] : sides.flatMap((side) => figureIn(slope, windowsOf(side.runCase)) ?? []);
  const laneOf = (/** @type {string} */ name, /** @type {'windows' | 'warmup'} */ part) => ({
    name,
    note:
      growths.length > 0 ? charts.growth(growths.map((growth) => Math.round(10 * factor * growth) / 10)) : '',
    format: words[format],
    fromZero: lane.fromZero === true || part === 'warmup',
    sides: sides.map(({ kind, name: side, runCase }) => {
      const starts = startsOf(runCase).map((trial) =>
        pointsOf(part === 'windows' ? trial.windows : (trial.warmup?.windows ?? []), id, factor),
      );
      return { kind, name: sides.length > 1 ? side : '', starts: thinned(starts, most) };
    }),
  });
  const heading = unit === 'share' ? `${words.label(row, id)}, %` : headingOf(row, words);
  const measured = laneOf(lane.name ? charts[lane.name] : heading, 'windows');
  return id === 'throughput' ? [measured, laneOf(charts.warmup, 'warmup')] : [measured];
}

/** Of all requests, where latencies were kept, else of the summary. @type {(sides: Side[]) => Curve[]} */
export function curvesOf(sides) {
  return sides.flatMap(({ kind, name, runCase }) => {
    const points = curveOf(runCase) ?? summaryCurve(runCase);
    return points.length > 1 ? [{ kind, name, points }] : [];
  });
}

/** Undefined where no start kept its latencies. @type {(runCase: RunCase) => Curve['points'] | undefined} */
function curveOf({ trials }) {
  const latencies = mergeLatencies(startsOf({ trials }).flatMap((trial) => trial.latencies ?? []));
  if (!latencies) return undefined;
  const reached = cumsum(latencies.counts);
  const total = reached.at(-1) ?? 0;
  const last = Math.min(MOST_NINES, Math.log10(total));
  return range(CURVE + 1)
    .map((step) => {
      const nines = (last * step) / CURVE;
      const place = bisectLeft(reached, Math.max(1, (1 - 10 ** -nines) * total));
      return /** @type {Point} */ ([nines, (latencies.us[place] ?? 0) / 1000]);
    })
    .filter(([, ms]) => ms > 0);
}

/** Draws it from the median on. @type {(runCase: RunCase) => Curve['points']} */
function summaryCurve({ summary }) {
  return PERCENTILES.flatMap(([name, rank]) => {
    const ms = summary?.latencyMs?.[name];
    return rank >= 5000 && typeof ms === 'number' && ms > 0
      ? [/** @type {Point} */ ([-Math.log10(1 - rank / 10_000), ms])]
      : [];
  });
}

/** Each is in the middle of a window. @type {(windows: Window[], id: string, factor: number) => Point[]} */
function pointsOf(windows, id, factor) {
  return windows.flatMap((window) => {
    const value = figureIn(id, [window]);
    return window.at === undefined || value === undefined || !Number.isFinite(value)
      ? []
      : [/** @type {Point} */ ([window.at + window.seconds / 2, factor * value])];
  });
}

/** Means of neighbours belong to no start. @type {(starts: Point[][], most: number) => Point[][]} */
function thinned(starts, most) {
  const all = starts.flat();
  const size = Math.ceil(all.length / most);
  if (size < 2) return starts;
  return range(0, all.length, size).map((first) => {
    const points = all.slice(first, first + size);
    return [[mean(points, ([x]) => x) ?? 0, mean(points, ([, y]) => y) ?? 0]];
  });
}

/** No one sees smaller gaps. @type {(spans: [number, number][], gap: number) => [number, number][]} */
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

/**
 * Undefined where it cannot be drawn.
 * @param {MetricComparison} change
 * @param {Words} words
 */
export function changeOf({ effectPct, ...change }, words) {
  if (effectPct === undefined || !Number.isFinite(effectPct)) return undefined;
  const whole = { ...change, effectPct };
  return { ...whole, name: labelOf(whole, words), label: changeText(whole, words) };
}
