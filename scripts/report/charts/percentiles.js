/**
 * Latency by percentile, as HdrHistogram draws it: each step to the right leaves a tenth of the requests, so that the tail shows.
 * Source: G. Tene, HdrHistogram, https://hdrhistogram.github.io/HdrHistogram/plotFiles.html
 * @import { Words } from '../text/words.js'
 */

import { extent, max, range } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { bottomAxis, drawing, leftAxis, lines, text, WIDTH } from './svg.js';

/** nines: 1 for 90 %, 2 for 99 %; kind: a class @typedef {{ kind: string, points: [nines: number, ms: number][] }} Curve */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 12, 24, 160];

/** @param {Curve[]} curves @param {Words} words @returns {string} empty where there is nothing to draw */
export function drawPercentiles(curves, words) {
  const { charts } = words.page;
  const all = curves.flatMap(({ points }) => points);
  const [low, high] = extent(all, ([, ms]) => ms);
  const last = max(all, ([nines]) => nines) ?? 0;
  if (low === undefined || high === undefined || last < 1) return '';
  const share = scaleLinear([0, last], [LEFT, RIGHT]);
  const ms = scaleLog([low / 1.1, Math.max(high, low * 2) * 1.1], [BOTTOM, TOP]);
  const round = ms.ticks().filter((value) => /^[125]0*$|^0\.0*[125]$/.test(String(value)));
  const decades = round.filter((value) => String(value).includes('1'));
  return drawing(BOTTOM + 34, charts.percentiles, [
    text([0, 14], charts.latency, { kind: 'title' }),
    leftAxis(ms, {
      left: LEFT,
      right: RIGHT,
      format: words.milliseconds,
      values: round.length > 5 && decades.length > 1 ? decades : round,
    }),
    bottomAxis(share, {
      top: TOP,
      bottom: BOTTOM,
      values: [Math.log10(2), ...range(1, Math.floor(last) + 1)],
      label: charts.percentile,
      format: (nines) => words.percentile(1 - 10 ** -nines),
    }),
    ...curves.map(({ kind, points }) =>
      lines([points.map(([nines, value]) => [share(nines), ms(value)])], `thick ${kind}`),
    ),
  ]);
}
