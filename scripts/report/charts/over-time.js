/** @import { Words } from '../text/words.js' */
/** @import { Format, Point, Scale } from './svg.js' */

import { extent, mean, range } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { bottomAxis, box, dots, drawing, leftAxis, lines, place, text, WIDTH } from './svg.js';

/**
 * kind: a class; starts: the points of each start; note: what else is known of a lane; busy: when other
 * programs used the machine; parts: of the time that have their figures on hover. Times are in seconds.
 * @typedef {{ kind: string, name: string, starts: Point[][] }} LaneSide
 * @typedef {{ name: string, note: string, format: Format, sides: LaneSide[], fromZero: boolean }} Lane
 * @typedef {{ lanes: Lane[], busy: [from: number, to: number][], parts: number }} Course
 */

const [LEFT, RIGHT] = [46, WIDTH - 8];
const [ROW, HEAD, DRAWN] = [88, 24, 56];

/** Draws figures over time, a lane each, under one clock. @type {(course: Course, words: Words) => string} */
export function drawCourse({ lanes, busy, parts }, words) {
  const { charts } = words.page;
  const all = lanes.flatMap(({ sides }) => sides.flatMap(({ starts }) => starts.flat()));
  const [first = 0, last = 1] = extent(all, ([x]) => x);
  const time = scaleLinear([Math.min(0, first), Math.max(1, last)], [LEFT, RIGHT]);
  const bottom = lanes.length * ROW;
  const spans = busy.map(([from, to]) => {
    const [left, right] = [time(from), Math.max(time(from) + 1, time(to))].map(place);
    return `M${left} ${HEAD}H${right}V${bottom - 4}H${left}z`;
  });
  return drawing(bottom + 28, charts.course(lanes.map(({ name }) => name)), [
    `<path class="busy" d="${spans.join('')}"/>`,
    ...lanes.map((lane, row) => drawLane(lane, time, row * ROW)),
    bottomAxis(time, { top: bottom - 8, bottom: bottom - 6, format: words.count, label: charts.seconds }),
    ...range(parts).map((part) => {
      const edge = (/** @type {number} */ nth) => LEFT + ((RIGHT - LEFT) * nth) / parts;
      const x = /** @type {[number, number]} */ ([edge(part), edge(part + 1)]);
      const span = /** @type {[number, number]} */ (x.map((end) => time.invert(end)));
      const figures = figuresIn(lanes, span);
      const title = [charts.span(span), ...figures].join('\n');
      return figures.length > 0 ? box({ x, y: [HEAD, bottom - 8] }, 'hover', title) : '';
    }),
  ]);
}

/** Each side's mean in each lane. @type {(lanes: Lane[], time: [from: number, to: number]) => string[]} */
function figuresIn(lanes, [from, to]) {
  return lanes.flatMap(({ name, format, sides }) => {
    const texts = sides.flatMap((side) => {
      const points = side.starts.flat().filter(([x]) => x >= from && x < to);
      const value = mean(points, ([, y]) => y);
      return value === undefined ? [] : [side.name, format(value)].filter(Boolean).join(' ');
    });
    return texts.length > 0 ? `${name}: ${texts.join(', ')}` : [];
  });
}

/** @type {(lane: Lane, time: Scale, top: number) => string} */
function drawLane({ name, note, format, sides, fromZero }, time, top) {
  const [low = 0, high = 1] = extent(sides.flatMap(({ starts }) => starts.flat().map(([, value]) => value)));
  const room = Math.max((high - low) / 10, Math.abs(high) / 100, 1e-3);
  const bottom = fromZero ? 0 : Math.max(0, low - room);
  const scale = scaleLinear([bottom, high + room], [top + HEAD + DRAWN, top + HEAD]);
  return [
    text([0, top + 13], name, { kind: 'title', width: note ? 190 : WIDTH }),
    note && text([RIGHT, top + 13], note, { kind: 'end', width: 190 }),
    leftAxis(scale, { left: LEFT, right: RIGHT, format, values: scale.ticks(3) }),
    ...sides.map(({ kind, starts }) => {
      const placed = starts.map((points) =>
        points.map(([x, y]) => /** @type {Point} */ ([time(x), scale(y)])),
      );
      return lines(placed, kind) + dots(placed.flat(), `small ${kind}`);
    }),
  ].join('');
}
