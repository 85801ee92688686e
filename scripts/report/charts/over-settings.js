/**
 * A figure over a setting with several values, such as connections: a line a server.
 * @import { Words } from '../text/words.js'
 * @import { Point } from './svg.js'
 */

import { max, union } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { formatsOf } from '../text/change-words.js';
import { bottomAxis, drawing, leftAxis, lines, text, titledDots, upright, WIDTH } from './svg.js';

/**
 * title: on hover; low, high: ends of an interval.
 * @typedef {{ x: number, y: number, title: string, low?: number, high?: number }} Mark
 */
/** A kind is a class. @typedef {{ kind: string, name: string, steps: Mark[] }} Line */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 22, 36, 176];
/** A figure beside the axis is this wide, and one beside a dot has this much room. */
const [TICK, ROOM] = [26, 44];
/** An interval that reaches further than this many times the highest value ends there. */
const MOST_HIGH = 1.4;

/**
 * axis: what the steps are; the first line has its values beside it.
 * @type {(chart: { title: string, axis: string, unit: string, series: Line[] }, words: Words) => string}
 */
export function drawSteps({ title, axis, unit, series }, words) {
  const { format, short } = formatsOf(unit, words);
  const all = series.flatMap(({ steps }) => steps);
  const values = [...union(all.map(({ x }) => x))].sort((a, b) => a - b);
  const across = scaleLog([values[0] ?? 1, values.at(-1) ?? 1], [LEFT + 22, RIGHT]);
  const highest = max(all, ({ y }) => y) ?? 1;
  const most = Math.min(MOST_HIGH * highest, max(all, ({ y, high = y }) => high) ?? 1);
  const up = scaleLinear([0, most], [BOTTOM, TOP]).nice(4).clamp(true);
  const at = (/** @type {Mark} */ { x, y }) => /** @type {Point} */ ([across(x), up(y)]);
  return drawing(BOTTOM + 34, words.page.charts.steps(title, axis), [
    text([0, 14], title, { kind: 'title' }),
    leftAxis(up, { left: LEFT, right: RIGHT, format: short, values: up.ticks(4) }),
    bottomAxis(across, {
      top: BOTTOM,
      bottom: BOTTOM,
      format: words.count,
      label: axis,
      values: apart(values, across, TICK),
    }),
    ...series.flatMap(({ kind, steps }) => [
      ...steps.flatMap(({ x, low, high }) =>
        low === undefined || high === undefined
          ? []
          : upright(across(x), [up(low), up(high)], `whisker ${kind}`),
      ),
      lines([steps.map(at)], `thick ${kind}`),
      titledDots(
        steps.map((step) => ({ at: at(step), title: step.title })),
        kind,
      ),
    ]),
    ...apart(values, across, ROOM).flatMap((value) => {
      const step = series[0]?.steps.find(({ x }) => x === value);
      return step
        ? text([across(value), up(Math.max(step.y, step.high ?? 0)) - 8], format(step.y), {
            kind: 'value halo',
          })
        : [];
    }),
  ]);
}

/**
 * Those whose texts do not touch; values ascend.
 * @type {(values: number[], scale: (value: number) => number, room: number) => number[]}
 */
function apart(values, scale, room) {
  /** @type {number[]} */
  const kept = [];
  for (const value of values)
    if (scale(value) - scale(kept.at(-1) ?? -Infinity) >= room || kept.length === 0) kept.push(value);
  return kept;
}
