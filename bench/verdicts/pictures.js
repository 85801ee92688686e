/** Draws the pictures of docs/verdicts.md from the recordings: `node bench/verdicts/pictures.js`. */

import { writeFileSync } from 'node:fs';
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { differencesOf } from '../../scripts/judge/mean-estimate.js';
import { mean } from '../../scripts/samples/interval.js';
import { samplesOf } from '../../scripts/samples/case-figures.js';
import { readJsonLines } from '../json-lines.js';
import { readRounds } from './recordings.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 250, 56, 628, 44, 206];
const COLOURS = ['#1f6feb', '#d1570b'];

/** @typedef {{ x: number, y: number, series: number }} Dot */

const moments = readJsonLines(new URL('../../test/data/noise/moments.jsonl', import.meta.url));
draw('moments.svg', {
  title: 'Requests per second in windows of a second, two identical Fastify servers loaded alternately',
  x: 'seconds',
  series: ['one', 'the other'],
  format: (rate) => `${rate / 1000}k`,
  dots: moments.map(({ t, s, rps }) => ({ x: Number(t), y: rps, series: s === 'A' ? 0 : 1 })),
});
draw('rounds.svg', {
  title: 'CPU per request: differences of adjacent windows, a dot for each round of fresh starts',
  x: 'round',
  series: ['Fastify against 0.3 % more work', 'Fastify against 6 % more work'],
  format: (pct) => `${pct > 0 ? '+' : ''}${pct} %`.replace('-', '−'),
  dots: ['a fastify-0.3', 'b fastify-6'].flatMap((name, series) => {
    const rounds = readRounds('alternating').get(name) ?? [];
    const [base, head] = [rounds.map((round) => round.base), rounds.map((round) => round.head)].map(
      samplesOf,
    );
    const differences = differencesOf(base ?? [], head ?? [], 'cpuPerRequest');
    return differences.map((round, nth) => ({ x: nth + 1, y: 100 * mean(round), series }));
  }),
});

/**
 * @param {string} file in docs/img
 * @param {{ title: string, x: string, series: string[], format: (value: number) => string, dots: Dot[] }}
 *   chart
 */
function draw(file, { title, x, series, format, dots }) {
  const [low = 0, high = 1] = extent(dots, (dot) => dot.y);
  const across = scaleLinear([0, Math.max(...dots.map((dot) => dot.x))], [LEFT, RIGHT]);
  const down = scaleLinear([low, high], [BOTTOM, TOP]).nice(5);
  const place = (/** @type {number} */ value) => value.toFixed(1);
  const parts = [
    `<text x="${LEFT}" y="16" font-weight="600">${title}</text>`,
    ...series.map(
      (name, nth) =>
        `<circle cx="${LEFT + 6 + nth * 230}" cy="30" r="4" fill="${COLOURS[nth]}"/><text x="${LEFT + 16 + nth * 230}" y="34">${name}</text>`,
    ),
    ...down.ticks(5).flatMap((value) => {
      const y = place(down(value));
      return [
        `<line x1="${LEFT}" x2="${RIGHT}" y1="${y}" y2="${y}" stroke="${value === 0 ? '#888' : '#8884'}"/>`,
        `<text x="${LEFT - 6}" y="${y}" dy="4" text-anchor="end">${format(value)}</text>`,
      ];
    }),
    ...across
      .ticks(6)
      .map(
        (value) =>
          `<text x="${place(across(value))}" y="${BOTTOM + 20}" text-anchor="middle">${value}</text>`,
      ),
    ...dots.map(
      (dot) =>
        `<circle cx="${place(across(dot.x))}" cy="${place(down(dot.y))}" r="3.5" fill="${COLOURS[dot.series]}" fill-opacity=".8"/>`,
    ),
    `<text x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${x}</text>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#6e7781">\n${parts.join('\n')}\n</svg>\n`;
  writeFileSync(new URL(`../../docs/img/${file}`, import.meta.url), svg);
}
