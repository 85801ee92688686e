/** Draws the pictures of docs/verdicts.md from the recordings: `node bench/verdicts/pictures.js`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { differencesOf, mean } from '../../scripts/judge/mean-estimate.js';
import { samplesOf } from '../../scripts/samples/samples.js';
import { readRounds } from './recordings.js';

const [WIDTH, HEIGHT, PAD] = [640, 240, 48];
const COLOURS = ['#1f6feb', '#d1570b'];

/** @typedef {{ x: number, y: number, series: number }} Dot */

const moments = readFileSync(new URL('../../test/data/noise/moments.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
draw('moments.svg', {
  title: 'Two live, identical servers in turn: requests a second of each window',
  x: 'seconds',
  from: 40_000,
  series: ['one', 'the other'],
  dots: moments.map(({ t, s, rps }) => ({ x: Number(t), y: rps, series: s === 'A' ? 0 : 1 })),
});
draw('rounds.svg', {
  title: 'The same kind of windows as differences of neighbours: a dot for each round',
  x: 'round',
  unit: ' %',
  from: -8,
  series: ['Express against itself', 'Express against 4 % more work'],
  dots: ['b express-same', 'b express-4'].flatMap((name, series) => {
    const rounds = readRounds('alternating').get(name) ?? [];
    const base = samplesOf(rounds.map((round) => round.base));
    const head = samplesOf(rounds.map((round) => round.head));
    return differencesOf(base, head, 'cpuPerRequest').map((round, x) => ({
      x: x + 1,
      y: 100 * mean(round),
      series,
    }));
  }),
});

/**
 * @param {string} file in docs/img
 * @param {{ title: string, x: string, unit?: string, from: number, series: string[], dots: Dot[] }} chart from: where the axis
 *   begins
 */
function draw(file, { title, x, unit = '', from, series, dots }) {
  const [right, top] = [Math.max(...dots.map((dot) => dot.x)), Math.max(...dots.map((dot) => dot.y)) * 1.05];
  const across = (/** @type {number} */ value) => PAD + (value / right) * (WIDTH - PAD - 12);
  const down = (/** @type {number} */ value) =>
    HEIGHT - PAD - ((value - from) / (top - from)) * (HEIGHT - PAD - 40);
  const ticks = [0, 1, 2, 3, 4].map((step) => from + (step / 4) * (top - from));
  const label = (/** @type {number} */ value) =>
    unit ? `${value.toFixed(0)}${unit}` : `${Math.round(value / 1000)}k`;
  const parts = [
    `<text x="${PAD}" y="16" font-weight="600">${title}</text>`,
    ...series.map(
      (name, place) =>
        `<circle cx="${PAD + 6 + place * 200}" cy="30" r="4" fill="${COLOURS[place]}"/><text x="${PAD + 16 + place * 200}" y="34">${name}</text>`,
    ),
    ...ticks.map(
      (value) =>
        `<line x1="${PAD}" x2="${WIDTH - 12}" y1="${down(value).toFixed(1)}" y2="${down(value).toFixed(1)}" stroke="#8884"/><text x="${PAD - 6}" y="${(down(value) + 4).toFixed(1)}" text-anchor="end">${label(value)}</text>`,
    ),
    ...dots.map(
      (dot) =>
        `<circle cx="${across(dot.x).toFixed(1)}" cy="${down(dot.y).toFixed(1)}" r="3.5" fill="${COLOURS[dot.series]}" fill-opacity=".8"/>`,
    ),
    `<text x="${WIDTH / 2}" y="${HEIGHT - 14}" text-anchor="middle">${x}</text>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#6e7781">\n${parts.join('\n')}\n</svg>\n`;
  writeFileSync(new URL(`../../docs/img/${file}`, import.meta.url), svg);
}
