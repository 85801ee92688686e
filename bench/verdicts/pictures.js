/**
 * Draws the pictures of docs/verdicts.md from the recordings: `node bench/verdicts/pictures.js`.
 * @import { Boot } from './recordings.js'
 */

import { writeFileSync } from 'node:fs';
import { readBoots } from './recordings.js';

const [WIDTH, HEIGHT, PAD] = [640, 240, 48];
const COLOURS = ['#1f6feb', '#d1570b', '#6e7781'];

/** @typedef {{ x: number, y: number, series: number }} Dot */

const quiet = readBoots('quiet');
const busy = readBoots('busy');

draw('states.svg', {
  title: 'The same unchanged server, booted 22 times: requests a second of each boot',
  x: 'round',
  series: ['Fastify', 'Express'],
  dots: ['fastify', 'express'].flatMap((variant, series) =>
    quiet
      .filter((boot) => boot.variant === variant)
      .map((boot) => ({ x: boot.round, y: best(boot), series })),
  ),
});
draw('shift.svg', {
  title: 'A slowdown of 9 % moves both states; which boot is fast is luck',
  x: 'round',
  series: ['Fastify', '9 % slower'],
  dots: ['fastify', 'fastify-9'].flatMap((variant, series) =>
    quiet
      .filter((boot) => boot.variant === variant)
      .map((boot) => ({ x: boot.round, y: best(boot), series })),
  ),
});
draw('disturbed.svg', {
  title: 'What a neighbour does: requests a second against the share of the machine it took',
  x: 'share of the machine taken by others, %',
  series: ['Fastify', 'Express'],
  dots: ['fastify', 'express'].flatMap((variant, series) =>
    busy
      .filter((boot) => boot.variant === variant)
      .flatMap(({ windows }) => windows.map(({ foreign, rps }) => ({ x: 100 * foreign, y: rps, series }))),
  ),
});

/** @param {Boot} boot */
function best({ windows }) {
  return Math.max(...windows.map(({ rps }) => rps));
}

/**
 * @param {string} file
 * @param {{ title: string, x: string, series: string[], dots: Dot[] }} picture
 */
function draw(file, { title, x, series, dots }) {
  const right = Math.max(...dots.map((dot) => dot.x));
  const top = Math.ceil(Math.max(...dots.map((dot) => dot.y)) / 10_000) * 10_000;
  const across = (/** @type {number} */ value) => (PAD + (value / right) * (WIDTH - 2 * PAD)).toFixed(1);
  const up = (/** @type {number} */ value) => (HEIGHT - PAD - (value / top) * (HEIGHT - 2 * PAD)).toFixed(1);
  const lines = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const y = up(part * top);
    return `<line x1="${PAD}" x2="${WIDTH - PAD}" y1="${y}" y2="${y}" stroke="#d0d7de"/><text x="${PAD - 6}" y="${y}" text-anchor="end" dominant-baseline="middle">${Math.round((part * top) / 1000)}k</text>`;
  });
  const marks = dots.map(
    (dot) =>
      `<circle cx="${across(dot.x)}" cy="${up(dot.y)}" r="4" fill="${COLOURS[dot.series]}" fill-opacity="0.8"/>`,
  );
  const keys = series.map(
    (name, index) =>
      `<text x="${WIDTH - PAD - 150 + 90 * index}" y="${HEIGHT - 8}" fill="${COLOURS[index]}">● ${name}</text>`,
  );
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${PAD}" y="20" font-size="13">${title}</text>`,
    ...lines,
    ...marks,
    `<text x="${PAD}" y="${HEIGHT - 8}">${x}</text>`,
    ...keys,
    '</svg>',
    '',
  ].join('\n');
  writeFileSync(new URL(`../../docs/img/${file}`, import.meta.url), svg);
}
