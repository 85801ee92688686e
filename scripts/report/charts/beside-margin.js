/**
 * Changes in percent beside the margin: of one metric with all its rounds, and of one metric in all cases.
 * @import { MetricComparison, Verdict } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Point, Scale } from './svg.js'
 */

import { scaleLinear } from 'd3-scale';
import { bottomAxis, box, dots, drawing, place, text, titledDots, upright, WIDTH } from './svg.js';

/**
 * better: the direction that is better; label: the change in words; rounds: the first on top; kept: not left
 * out as an outlier; isBrief: their values are not needed on hover.
 * @typedef {{ name: string, label: string, better: 'more' | 'less', effectPct: number } &
 *   Pick<MetricComparison, 'ciPct' | 'marginPct'> & { verdict: Verdict | 'control' }} Change
 * @typedef {Change & { rounds: { pct: number, kept: boolean }[], isBrief?: boolean }} RoundsChange
 */

const [LEFT, RIGHT] = [6, WIDTH - 6];
/** Heights of the dots of rounds, and of the interval below them. */
const [DOTS_TOP, DOTS_HEIGHT, INTERVAL, BOTTOM] = [27, 36, 73, 82];
/** Of the overview: a name has a line of its own above its interval, so that neither runs over the other. */
const [ROW, NAME, LONGEST_NAME] = [36, 14, 186];
/** A gutter of the overview: no figure lies on the band of the margin. */
const FIGURES = 120;

/** Draws every round as a dot, above the interval. @type {(change: RoundsChange, words: Words) => string} */
export function drawRounds(change, words) {
  const { name, label, verdict, better, rounds, isBrief } = change;
  const shown = rounds.filter(({ kept }) => kept).map(({ pct }) => pct);
  const scale = scaleOf([change], shown, [LEFT + 6, RIGHT - 6]);
  const height = (/** @type {number} */ order) =>
    DOTS_TOP + DOTS_HEIGHT * (rounds.length < 2 ? 0.5 : order / (rounds.length - 1));
  const drawn = (/** @type {boolean} */ isKept, /** @type {string} */ kind) => {
    /** @type {{ at: Point, title: string }[]} */
    const points = rounds.flatMap(({ pct, kept }, order) =>
      kept === isKept ? { at: [scale(pct), height(order)], title: words.percent(pct) } : [],
    );
    const places = points.map(({ at }) => at);
    return isBrief ? dots(places, kind) : titledDots(points, kind);
  };
  return drawing(BOTTOM + 34, words.page.charts.rounds(name, label, rounds.length), [
    text([LEFT, 14], name, { kind: 'title', width: 150 }),
    text([RIGHT, 14], label, { kind: `end ${verdict}`, width: 210 }),
    band(change, scale, [20, BOTTOM]),
    ground(scale, { top: 20, bottom: BOTTOM, better, words }),
    drawn(true, 'round'),
    drawn(false, 'wrecked'),
    drawInterval(change, scale, INTERVAL),
  ]);
}

/**
 * One metric of several cases, at least one, has a row each.
 * @type {(chart: { title: string, better: 'more' | 'less', changes: Change[] }, words: Words) => string}
 */
export function drawChanges({ title, better, changes }, words) {
  const topOf = (/** @type {number} */ row) => 26 + row * ROW;
  const bottom = topOf(changes.length);
  const scale = scaleOf(changes, [], [LEFT, WIDTH - FIGURES]);
  return drawing(bottom + 34, words.page.charts.changes(title, changes.length), [
    text([0, 14], title, { kind: 'title' }),
    ...changes.map((change, row) => band(change, scale, [topOf(row) + NAME, topOf(row + 1)])),
    ground(scale, { top: 22, bottom, better, words }),
    ...changes.flatMap((change, row) => {
      const middle = topOf(row) + (NAME + ROW) / 2;
      // The estimate, its interval and the confidence of that.
      const lines = change.label.split(/(?<=%) (?=\D)|(?<=%)(?=\()/);
      return [
        text([0, topOf(row) + 11], change.name, { kind: 'halo', width: LONGEST_NAME, keepsEnd: true }),
        ...lines.map((line, place) => {
          const kind = place === 0 ? `end ${change.verdict}` : 'end';
          return text([WIDTH, topOf(row) + 29 - 12 * (lines.length - 1 - place)], line, { kind });
        }),
        drawInterval(change, scale, middle),
      ];
    }),
  ]);
}

/**
 * Wide enough for the dots and the margins; an interval that tells little ends at the edge.
 * @type {(changes: Change[], rounds: number[], range: [number, number]) => Scale}
 */
function scaleOf(changes, rounds, range) {
  const margin = Math.max(1, ...changes.map(({ marginPct = 0 }) => marginPct));
  const seen = [...rounds, ...changes.map(({ effectPct }) => effectPct)].filter(Number.isFinite);
  const far = 2 * Math.max(2 * margin, ...seen.map(Math.abs));
  const ends = changes.flatMap(({ ciPct = [0, 0] }) =>
    ciPct.map((end) => Math.max(-far, Math.min(far, end))),
  );
  const all = [-1.2 * margin, 1.2 * margin, ...seen, ...ends];
  return scaleLinear([Math.min(...all), Math.max(...all)], range)
    .nice(5)
    .clamp(true);
}

/** Draws a margin. @type {(change: Change, scale: Scale, y: [top: number, bottom: number]) => string} */
function band({ marginPct }, scale, y) {
  return marginPct === undefined ? '' : box({ x: [scale(-marginPct), scale(marginPct)], y }, 'margin');
}

/**
 * Draws the axis, and a line at zero.
 * @param {Scale} scale
 * @param {{ top: number, bottom: number, better: 'more' | 'less', words: Words }} frame
 */
function ground(scale, { top, bottom, better, words }) {
  const label = words.page.charts.percent(better);
  return [
    bottomAxis(scale, { top, bottom, format: words.signed, values: scale.ticks(3), label }),
    upright(scale(0), [top, bottom], 'zero'),
  ].join('');
}

/** @type {(change: Change, scale: Scale, y: number) => string} */
function drawInterval({ effectPct, ciPct, verdict }, scale, y) {
  const diamond = `<path class="estimate ${verdict}" d="M${place(scale(effectPct))} ${y - 6}l5 6l-5 6l-5-6z"/>`;
  if (!ciPct) return diamond;
  const [low, high] = ciPct.map((end) => place(scale(end)));
  const [least = 0, most = 0] = scale.domain();
  const caps = ciPct
    .filter((end) => end >= least && end <= most)
    .map((end) => `M${place(scale(end))} ${y - 4}v8`);
  return `<path class="interval ${verdict}" d="M${low} ${y}H${high}${caps.join('')}"/>${diamond}`;
}
