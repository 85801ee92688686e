/** @import { Words } from '../text/words.js' */
/** @import { Point } from './svg.js' */

import { extent, median } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { LEADING } from '../../samples/figures.js';
import { headingOf } from '../text/change-words.js';
import { bottomAxis, box, dots, drawing, every, text, upright, WIDTH } from './svg.js';

/** A kind is a class. @typedef {{ kind: string, name: string, values: number[] }} Strip */

const [LEFT, RIGHT, TOP, ROW] = [12, WIDTH - 12, 24, 34];
/** Dots of one strip: more run together. */
const MOST = 40;
/** Dots of equal value lie on this many levels. */
const LEVELS = 5;

/** Throughput by window, in dots; empty without spread. @type {(strips: Strip[], words: Words) => string} */
export function drawStrips(strips, words) {
  const { charts } = words.page;
  const name = headingOf(LEADING, words);
  const [low = 0, high = 0] = extent(strips.flatMap(({ values }) => values));
  if (low === high || strips.some(({ values }) => values.length < 2)) return '';
  const scale = scaleLinear([low, high], [LEFT, RIGHT]);
  const bottom = TOP + strips.length * ROW;
  return drawing(bottom + 34, charts.density(name), [
    text([0, 14], name, { kind: 'title' }),
    bottomAxis(scale, { top: TOP, bottom, format: words.compact, label: charts.windows(name) }),
    ...strips.flatMap(({ kind, name: side, values }, row) => {
      const top = TOP + row * ROW;
      /** @type {Point[]} */
      const points = every(values, MOST).map((value, nth) => [
        scale(value),
        top + ROW / 2 + 4 * ((nth % LEVELS) - (LEVELS - 1) / 2),
      ]);
      const middle = median(values) ?? low;
      const [least = 0, most = 0] = extent(values);
      const title = `${side}: ${words.rate(middle)} req/s (${words.range([least, most].map(words.rate))})`;
      return [
        dots(points, `small ${kind}`),
        upright(scale(middle), [top + 2, top + ROW - 2], `median ${kind}`),
        box({ x: [LEFT, RIGHT], y: [top, top + ROW] }, 'hover', title),
      ];
    }),
  ]);
}
