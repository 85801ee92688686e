/**
 * Changes in percent beside the margin: of one metric with all its rounds, and of all cases among each other.
 * @import { Words } from '../text/words.js'
 * @import { Scale } from './svg.js'
 */

import { scaleLinear } from 'd3-scale';
import { bottomAxis, box, dots, drawing, place, text, WIDTH } from './svg.js';

/**
 * In percent. better: which way is; rounds: the differences of neighbours, the first on top; kept: whether the judge kept it;
 * kind: a class, the verdict's
 * @typedef {{ name: string, told: string, better: 'more' | 'less', effectPct: number, ciPct?: [number, number] | undefined,
 *   marginPct?: number | undefined, kind: string }} Change
 * @typedef {Change & { rounds: { pct: number, kept: boolean }[] }} RoundsChange
 */

const [LEFT, RIGHT] = [6, WIDTH - 6];
/** Of the dots of rounds. */
const [DOTS_TOP, DOTS_BOTTOM] = [27, 63];
const ROW = 34;
/** Gutters of the overview: of names, of figures. */
const [NAMES, FIGURES] = [90, 120];

/**
 * @param {RoundsChange} change
 * @param {Words} words
 * @returns {string} every round as a dot, the interval and the margin on one axis
 */
export function drawRounds(change, words) {
  const { charts } = words.page;
  const { rounds } = change;
  const kept = rounds.filter((round) => round.kept).map(({ pct }) => pct);
  const scale = scaleOf([change], kept);
  const height = (/** @type {number} */ order) =>
    rounds.length < 2
      ? (DOTS_TOP + DOTS_BOTTOM) / 2
      : DOTS_TOP + ((DOTS_BOTTOM - DOTS_TOP) * order) / (rounds.length - 1);
  const points = rounds.map(({ pct, kept: isKept }, order) => ({
    isKept,
    at: /** @type {[number, number]} */ ([within(scale, pct), height(order)]),
  }));
  const bottom = 82;
  return drawing(bottom + 34, charts.rounds(change.name, change.told, rounds.length), [
    text([LEFT, 14], change.name, { kind: 'title', width: 150 }),
    text([RIGHT, 14], change.told, { kind: `end ${change.kind}`, width: 210 }),
    marginOf(change, scale, [20, bottom]),
    bottomAxis(scale, {
      ...{ top: 20, bottom, format: words.signed, values: scale.ticks(3) },
      label: charts.percent(change.better),
    }),
    zero(scale, [20, bottom]),
    dots(
      points.filter(({ isKept }) => isKept).map(({ at }) => at),
      'round',
    ),
    dots(
      points.filter(({ isKept }) => !isKept).map(({ at }) => at),
      'wrecked',
    ),
    drawInterval(change, scale, 73),
  ]);
}

/**
 * @param {{ title: string, better: 'more' | 'less', changes: Change[] }} of one at least
 * @param {Words} words
 * @returns {string} one metric of several cases, a row each
 */
export function drawChanges({ title, better, changes }, words) {
  const { charts } = words.page;
  const bottom = 26 + changes.length * ROW;
  // Names stand left of the axis, figures right of it: nothing lies on the band.
  const scale = scaleOf(changes, [], [NAMES, WIDTH - FIGURES]);
  return drawing(bottom + 34, charts.changes(title, changes.length), [
    text([0, 14], title, { kind: 'title' }),
    marginOf(changes[0], scale, [22, bottom]),
    bottomAxis(scale, {
      top: 22,
      bottom,
      format: words.signed,
      values: scale.ticks(3),
      label: charts.percent(better),
    }),
    zero(scale, [22, bottom]),
    ...changes.flatMap((change, row) => {
      const middle = 26 + (row + 0.5) * ROW;
      const [estimate = '', interval = ''] = change.told.split(/ (?=\()/);
      return [
        text([0, middle + 4], change.name, { kind: 'name', width: NAMES - 8 }),
        text([WIDTH, interval ? middle - 3 : middle + 4], estimate, {
          kind: `end ${change.kind}`,
          width: FIGURES - 4,
        }),
        interval && text([WIDTH, middle + 11], interval, { kind: 'end', width: FIGURES }),
        drawInterval(change, scale, middle),
      ];
    }),
  ]);
}

/**
 * Wide enough for the dots and the margins; an interval that tells little goes over the edge.
 * @param {Change[]} changes
 * @param {number[]} [rounds]
 * @param {[number, number]} [range]
 */
function scaleOf(changes, rounds = [], range = [LEFT + 6, RIGHT - 6]) {
  const margin = Math.max(1, ...changes.map(({ marginPct = 0 }) => marginPct));
  const seen = [...rounds, ...changes.map(({ effectPct }) => effectPct)].filter(Number.isFinite);
  const far = 2 * Math.max(2 * margin, ...seen.map(Math.abs));
  const ends = changes.flatMap(({ ciPct = [0, 0] }) =>
    ciPct.map((end) => Math.max(-far, Math.min(far, end))),
  );
  const all = [-1.2 * margin, 1.2 * margin, ...seen, ...ends];
  return scaleLinear([Math.min(...all), Math.max(...all)], range).nice(5);
}

/** @param {Change | undefined} change @param {Scale} scale @param {[number, number]} y */
function marginOf(change, scale, y) {
  const { marginPct } = change ?? {};
  if (marginPct === undefined) return '';
  return box({ x: [within(scale, -marginPct), within(scale, marginPct)], y }, 'margin');
}

/** @param {Scale} scale @param {[number, number]} y */
function zero(scale, [top, bottom]) {
  return `<path class="zero" d="M${place(scale(0))} ${top}V${bottom}"/>`;
}

/** @param {Change} change @param {Scale} scale @param {number} y */
function drawInterval({ effectPct, ciPct, kind }, scale, y) {
  const middle = within(scale, effectPct);
  const diamond = `<path class="estimate ${kind}" d="M${place(middle)} ${y - 6}l5 6l-5 6l-5-6z"/>`;
  if (!ciPct) return diamond;
  const [low, high] = [within(scale, ciPct[0]), within(scale, ciPct[1])];
  const caps = ciPct.map((end, side) =>
    within(scale, end) === scale(end) ? `M${place([low, high][side] ?? 0)} ${y - 4}v8` : '',
  );
  return `<path class="interval ${kind}" d="M${place(low)} ${y}H${place(high)}${caps.join('')}"/>${diamond}`;
}

/** @param {Scale} scale @param {number} value */
function within(scale, value) {
  const [low = 0, high = WIDTH] = scale.range();
  return Math.max(low - 6, Math.min(high + 6, scale(value)));
}
