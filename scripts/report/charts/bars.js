/**
 * A figure of several servers as bars from zero, and every boot as a dot.
 * @import { Words } from '../text/words.js'
 */

import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { bottomAxis, box, dots, drawing, text, WIDTH } from './svg.js';

/** kind: a class; told: the figure in words @typedef {{ name: string, told: string, value: number, boots: number[], kind: string }} Bar */

const [LEFT, RIGHT, ROW, TOP] = [6, WIDTH - 18, 36, 22];

/**
 * @param {{ title: string, bars: Bar[], format: (value: number) => string }} of one at least
 * @param {Words} words
 * @returns {string}
 */
export function drawBars({ title, bars, format }, words) {
  const { charts } = words.page;
  const most = max(bars.flatMap(({ value, boots }) => [value, ...boots])) || 1;
  const scale = scaleLinear([0, most], [LEFT, RIGHT]);
  const bottom = TOP + bars.length * ROW + 4;
  return drawing(bottom + 34, charts.bars(title, bars.length), [
    text([LEFT, 14], title, { kind: 'title' }),
    bottomAxis(scale, { top: TOP, bottom, format, label: charts.boots }),
    ...bars.flatMap(({ name, told, value, boots, kind }, row) => {
      const top = TOP + row * ROW;
      return [
        text([LEFT, top + 13], name, { kind: 'halo', width: 210 }),
        text([WIDTH - 6, top + 13], told, { kind: 'end halo', width: 150 }),
        box({ x: [LEFT, scale(value)], y: [top + 18, top + 31] }, `bar ${kind}`),
        dots(
          boots.map((boot) => [scale(boot), top + 24.5]),
          'boot',
        ),
      ];
    }),
  ]);
}
