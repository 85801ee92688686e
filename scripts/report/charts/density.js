/**
 * How the windows' figures are spread, a hill a side, and every window below it.
 * @import { Words } from '../text/words.js'
 * @import { Point } from './svg.js'
 */

import { deviation, extent, max, quantile } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { bottomAxis, drawing, every, place, text, WIDTH } from './svg.js';

/** kind: a class, whose they are @typedef {{ kind: string, values: number[] }} Spread */

const [LEFT, RIGHT] = [6, WIDTH - 6];
const [TOP, FLOOR, BOTTOM] = [24, 112, 126];
const STEPS = 44;
/** Marks of one side: more run together. */
const MARKS = 40;

/**
 * @param {{ name: string, spreads: Spread[], format: (value: number) => string }} of
 * @param {Words} words
 * @returns {string} empty where too few windows have a spread
 */
export function drawDensity({ name, spreads, format }, words) {
  const { charts } = words.page;
  const hills = spreads.flatMap(({ kind, values }) => {
    const width = bandwidth(values);
    return width > 0 ? [{ kind, values, width }] : [];
  });
  if (hills.length === 0 || hills.length < spreads.length) return '';
  const [low = 0, high = 1] = extent(
    hills.flatMap(({ values, width }) => [
      ...[Math.min(...values) - 2 * width, Math.max(...values) + 2 * width],
    ]),
  );
  const scale = scaleLinear([Math.max(0, low), high], [LEFT, RIGHT]);
  const curves = hills.map((hill) => ({
    ...hill,
    points: Array.from({ length: STEPS + 1 }, (_, step) => {
      const value = scale.invert(LEFT + ((RIGHT - LEFT) * step) / STEPS);
      return /** @type {Point} */ ([value, densityAt(value, hill)]);
    }),
  }));
  const most =
    max(
      curves.flatMap(({ points }) => points),
      ([, density]) => density,
    ) ?? 1;
  const height = scaleLinear([0, most], [FLOOR, TOP]);
  const hillOf = line()
    .x(([value]) => scale(value))
    .y(([, density]) => height(density))
    .digits(0);
  return drawing(BOTTOM + 34, charts.density(name), [
    text([LEFT, 14], name, { kind: 'title' }),
    bottomAxis(scale, { top: TOP, bottom: BOTTOM, format, label: charts.windows(name) }),
    ...curves.map(
      ({ kind, points }) => `<path class="hill ${kind}" d="${hillOf(points) ?? ''}V${FLOOR}H${LEFT}z"/>`,
    ),
    ...curves.map(({ kind, values }, side) => {
      const y = FLOOR + 2 + side * 6;
      return `<path class="rug ${kind}" d="${every(values, MARKS)
        .map((value) => `M${place(scale(value))} ${y}v5`)
        .join('')}"/>`;
    }),
  ]);
}

/**
 * B. W. Silverman, "Density Estimation for Statistics and Data Analysis" (1986), equation 3.31.
 * @param {number[]} values
 * @returns {number} 0 where there is no spread
 */
function bandwidth(values) {
  const spread = deviation(values) ?? 0;
  const middle = ((quantile(values, 0.75) ?? 0) - (quantile(values, 0.25) ?? 0)) / 1.34;
  return 0.9 * (middle > 0 ? Math.min(spread, middle) : spread) * values.length ** -0.2;
}

/**
 * @param {number} value
 * @param {{ values: number[], width: number }} hill of normal kernels
 */
function densityAt(value, { values, width }) {
  const sum = values.reduce((total, each) => total + Math.exp(-(((value - each) / width) ** 2) / 2), 0);
  return sum / (values.length * width);
}
