/** @import { Words } from '../text/words.js' */

import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { formatsOf } from '../text/change-words.js';
import { bottomAxis, box, drawing, text, titledDots, WIDTH } from './svg.js';

/**
 * A kind is a class.
 * @typedef {{ name: string, value: number, starts: number[], kind: string, isReference?: boolean }} Bar
 */

const [LEFT, RIGHT, ROW, TOP] = [6, WIDTH - 18, 36, 22];
/** A reference that is several times as fast would press the bars that people came for against the edge. */
const REFERENCE_MOST = 1.5;

/**
 * Draws several servers as bars from zero, at least one, with a dot for each start.
 * @type {(chart: { title: string, unit: string, bars: Bar[] }, words: Words) => string}
 */
export function drawBars({ title, unit, bars }, words) {
  const { format, short } = formatsOf(unit, words);
  const { charts } = words.page;
  const mostOf = (/** @type {Bar[]} */ some) =>
    max(some.flatMap(({ value, starts }) => [value, ...starts])) || 0;
  const own = REFERENCE_MOST * mostOf(bars.filter(({ isReference }) => !isReference));
  const most = Math.min(mostOf(bars), own || Infinity) || 1;
  const scale = scaleLinear([0, most], [LEFT, RIGHT]).clamp(true);
  const bottom = TOP + bars.length * ROW + 4;
  return drawing(bottom + 34, charts.bars(title, bars.length), [
    text([LEFT, 14], title, { kind: 'title' }),
    bottomAxis(scale, { top: TOP, bottom, format: short, label: charts.starts }),
    ...bars.flatMap(({ name, value, starts, kind }, row) => {
      const top = TOP + row * ROW;
      return [
        text([LEFT, top + 13], name, { kind: 'halo', width: 210, keepsEnd: true }),
        text([WIDTH - 6, top + 13], format(value), { kind: 'end halo', width: 150 }),
        box({ x: [LEFT, scale(value)], y: [top + 18, top + 31] }, `bar ${kind}`, `${name}: ${format(value)}`),
        titledDots(
          starts
            .filter((start) => start <= most)
            .map((start) => ({ at: [scale(start), top + 24.5], title: format(start) })),
          'start',
        ),
        value > most ? text([RIGHT + 4, top + 29], '»') : '',
      ];
    }),
  ]);
}
