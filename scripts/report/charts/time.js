/**
 * What was measured over time: a lane a figure, all of them under one clock.
 * @import { Words } from '../text/words.js'
 * @import { Point, Scale } from './svg.js'
 */

import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { bottomAxis, dots, drawing, leftAxis, lines, place, text, WIDTH } from './svg.js';

/**
 * boots: of one side, the points of each boot; kind: a class, whose they are; told: what else is known of a lane; busy: when other programs used the machine
 * @typedef {{ kind: string, boots: Point[][] }} Side
 * @typedef {{ name: string, told?: string, format: (value: number) => string, sides: Side[], fromZero?: boolean }} Lane
 * @typedef {{ lanes: Lane[], busy: [from: number, to: number][] }} Course in seconds
 */

const [LEFT, RIGHT] = [46, WIDTH - 8];
const [ROW, HEAD, DRAWN] = [84, 20, 56];

/** @param {Course} course @param {Words} words @returns {string} */
export function drawCourse({ lanes, busy }, words) {
  const { charts } = words.page;
  const all = lanes.flatMap(({ sides }) => sides.flatMap(({ boots }) => boots.flat()));
  const [first = 0, last = 1] = extent(all, ([x]) => x);
  const time = scaleLinear([Math.min(0, first), Math.max(1, last)], [LEFT, RIGHT]);
  const bottom = lanes.length * ROW;
  const spans = busy.map(([from, to]) => [time(from), Math.max(time(from) + 1, time(to))]);
  return drawing(bottom + 28, charts.course(lanes.map(({ name }) => name)), [
    `<path class="busy" d="${spans.map(([from = 0, to = 0]) => `M${place(from)} ${HEAD}H${place(to)}V${bottom - 4}H${place(from)}z`).join('')}"/>`,
    ...lanes.map((lane, row) => drawLane(lane, time, row * ROW)),
    bottomAxis(time, { top: bottom - 8, bottom: bottom - 6, format: words.count, label: charts.seconds }),
  ]);
}

/** @param {Lane} lane @param {Scale} time @param {number} top */
function drawLane({ name, told = '', format, sides, fromZero = false }, time, top) {
  const values = sides.flatMap(({ boots }) => boots.flat().map(([, value]) => value));
  const [low = 0, high = 1] = extent(values);
  const room = Math.max((high - low) / 10, Math.abs(high) / 100, 1e-3);
  const scale = scaleLinear(
    [fromZero ? 0 : Math.max(0, low - room), high + room],
    [top + HEAD + DRAWN, top + HEAD],
  );
  const ticks = scale.ticks(3);
  return [
    text([0, top + 13], name, { kind: 'title', width: told ? 190 : WIDTH }),
    told && text([RIGHT, top + 13], told, { kind: 'end', width: 190 }),
    leftAxis(scale, { left: LEFT, right: RIGHT, format, values: ticks }),
    ...sides.map(({ kind, boots }) => {
      const placed = boots.map((points) =>
        points.map(([x, y]) => /** @type {Point} */ ([time(x), scale(y)])),
      );
      return lines(placed, kind) + dots(placed.flat(), `small ${kind}`);
    }),
  ].join('');
}
