/**
 * Latency by percentile: each step to the right leaves a tenth of the requests, so that the tail shows.
 * Source: G. Tene, HdrHistogram, https://hdrhistogram.github.io/HdrHistogram/plotFiles.html
 * @import { Words } from '../text/words.js'
 */

import { extent, least, max, range } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { bottomAxis, box, drawing, leftAxis, lines, text, WIDTH } from './svg.js';

/**
 * nines: 1 for 90 %, 2 for 99 %; kind: a class.
 * @typedef {{ kind: string, name: string, points: [nines: number, ms: number][] }} Curve
 */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 12, 24, 160];

/**
 * Empty where there is nothing to draw; about: which cases they are of.
 * @type {(curves: Curve[], words: Words, about?: string) => string}
 */
export function drawPercentiles(curves, words, about = '') {
  const { charts } = words.page;
  const all = curves.flatMap(({ points }) => points);
  const [low, high] = extent(all, ([, ms]) => ms);
  const last = max(all, ([nines]) => nines) ?? 0;
  if (low === undefined || high === undefined || last < 1) return '';
  const share = scaleLinear([0, last], [LEFT, RIGHT]);
  const ms = scaleLog([low / 1.1, Math.max(high, low * 2) * 1.1], [BOTTOM, TOP]);
  const round = ms.ticks().filter((value) => /^[125]0*$|^0\.0*[125]$/.test(String(value)));
  const decades = round.filter((value) => String(value).includes('1'));
  const values = [Math.log10(2), ...range(1, Math.floor(last) + 1)];
  const nameOf = (/** @type {number} */ nines) => words.percentile(1 - 10 ** -nines);
  return drawing(BOTTOM + 34, charts.percentiles, [
    text([0, 14], [charts.latency, about].filter(Boolean).join(': '), { kind: 'title' }),
    leftAxis(ms, {
      left: LEFT,
      right: RIGHT,
      format: words.milliseconds,
      values: round.length > 5 && decades.length > 1 ? decades : round,
    }),
    bottomAxis(share, { top: TOP, bottom: BOTTOM, values, label: charts.percentile, format: nameOf }),
    ...curves.map(({ kind, points }) =>
      lines([points.map(([nines, value]) => [share(nines), ms(value)])], `thick ${kind}`),
    ),
    ...values.map((nines) => {
      const there = curves.flatMap(({ name, points }) => {
        const [, value] = least(points, ([at]) => Math.abs(at - nines)) ?? [];
        return value === undefined ? [] : `${name}: ${words.milliseconds(value)} ms`;
      });
      const x = /** @type {[number, number]} */ (
        [nines - 0.3, nines + 0.3].map((at) => share(Math.max(0, Math.min(at, last))))
      );
      return box({ x, y: [TOP, BOTTOM] }, 'hover', [`${nameOf(nines)} %`, ...there].join('\n'));
    }),
  ]);
}
