/**
 * Draws the pictures of docs/verdicts.md from the recordings: `node bench/verdicts/pictures.js`.
 * @import { Boot } from './recordings.js'
 */

import { writeFileSync } from 'node:fs';
import { compare } from '../../scripts/judge/compare.js';
import { readBoots, runOf, trialOf } from './recordings.js';

const [WIDTH, HEIGHT, PAD] = [640, 240, 48];
const COLOURS = ['#1f6feb', '#d1570b', '#6e7781'];

/** @typedef {{ x: number, y: number, series: number }} Dot */

const quiet = readBoots('quiet');
const busy = readBoots('busy');
const overloaded = readBoots('overloaded');

draw('states.svg', {
  title: 'The same unchanged server, booted 22 times: requests a second of each boot',
  x: 'round',
  series: ['Fastify', 'Express'],
  dots: byRound('fastify', 'express'),
});
draw('shift.svg', {
  title: 'A slowdown of 9 % moves both states; which boot is fast is luck',
  x: 'round',
  series: ['Fastify', '9 % slower'],
  dots: byRound('fastify', 'fastify-9'),
});
draw('neighbours.svg', {
  title: 'Nobody else on the machine: boots of one round are fast or slow together',
  x: 'round',
  from: 25_000,
  series: ['Express', '5 % slower'],
  dots: byRound('express', 'express-5'),
});
draw('disturbed.svg', {
  title: 'What a neighbour does: requests a second against the share of the machine it took',
  x: 'share of the machine taken by others, %',
  series: ['Fastify', 'Express'],
  dots: ['fastify', 'express'].flatMap((variant, series) =>
    of(busy, variant).flatMap(({ windows }) =>
      windows.map(({ foreign, rps }) => ({ x: 100 * foreign, y: rps, series })),
    ),
  ),
});

/** What was measured, and the boots of both sides. @type {[string, Boot[], Boot[]][]} */
const PAIRS = [
  ['Express, unchanged', ...halves(quiet, 'express')],
  ['Fastify, unchanged', ...halves(quiet, 'fastify')],
  ['Express, 5 % slower', of(quiet, 'express'), of(quiet, 'express-5')],
  ['Fastify, 9 % slower', of(quiet, 'fastify'), of(quiet, 'fastify-9')],
  ['Fastify, unchanged, busy', ...halves(busy, 'fastify')],
  ['Fastify, 5 % slower, overloaded', of(overloaded, 'fastify'), of(overloaded, 'fastify-5')],
];
drawIntervals('verdicts.svg', PAIRS);

/**
 * @param {Boot[]} all
 * @param {string} name
 */
function of(all, name) {
  return all.filter(({ variant }) => variant === name);
}

/**
 * Quiet boots, a series for each of the servers.
 * @param {string[]} variants
 * @returns {Dot[]}
 */
function byRound(...variants) {
  return variants.flatMap((variant, series) =>
    of(quiet, variant).map((boot) => ({ x: boot.round, y: best(boot), series })),
  );
}

/**
 * Boots of one server dealt to two sides by turns.
 * @param {Boot[]} all
 * @param {string} name
 * @returns {[Boot[], Boot[]]}
 */
function halves(all, name) {
  const boots = of(all, name);
  return [boots.filter((_, index) => index % 2 === 0), boots.filter((_, index) => index % 2 === 1)];
}

/** @param {Boot} boot */
function best({ windows }) {
  return Math.max(...windows.map(({ rps }) => rps));
}

/**
 * @param {string} file
 * @param {{ title: string, x: string, from?: number, series: string[], dots: Dot[] }} picture from: where the y axis begins
 */
function draw(file, { title, x, from = 0, series, dots }) {
  const right = Math.max(...dots.map((dot) => dot.x));
  const top = Math.ceil(Math.max(...dots.map((dot) => dot.y)) / 10_000) * 10_000;
  const across = (/** @type {number} */ value) => (PAD + (value / right) * (WIDTH - 2 * PAD)).toFixed(1);
  const up = (/** @type {number} */ value) =>
    (HEIGHT - PAD - ((value - from) / (top - from)) * (HEIGHT - 2 * PAD)).toFixed(1);
  const lines = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const value = from + part * (top - from);
    const y = up(value);
    return `<line x1="${PAD}" x2="${WIDTH - PAD}" y1="${y}" y2="${y}" stroke="#d0d7de"/><text x="${PAD - 6}" y="${y}" text-anchor="end" dominant-baseline="middle">${Number((value / 1000).toFixed(1))}k</text>`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${across(part * right)}" y="${HEIGHT - PAD + 16}" text-anchor="middle">${Math.round(part * right)}</text>`,
  );
  const marks = dots.map(
    (dot) =>
      `<circle cx="${across(dot.x)}" cy="${up(dot.y)}" r="4" fill="${COLOURS[dot.series]}" fill-opacity="0.8"/>`,
  );
  const keys = series.map(
    (name, index) =>
      `<text x="${WIDTH - PAD - 150 + 90 * index}" y="${HEIGHT - 8}" fill="${COLOURS[index]}">● ${name}</text>`,
  );
  const axis = `<text x="${PAD}" y="${HEIGHT - 8}">${x}</text>`;
  write(file, title, [...lines, ...ticks, ...marks, axis, ...keys]);
}

/**
 * A row a pair: the interval of its change of throughput, and the verdict in its colour.
 * @param {string} file
 * @param {[string, Boot[], Boot[]][]} pairs
 */
function drawIntervals(file, pairs) {
  const [left, right, most] = [200, WIDTH - 80, 16];
  const across = (/** @type {number} */ pct) =>
    (left + ((pct + most) / (2 * most)) * (right - left)).toFixed(1);
  const row = (HEIGHT - 2 * PAD) / pairs.length;
  const margin = `<rect x="${across(-5)}" y="${PAD - 8}" width="${Number(across(5)) - Number(across(-5))}" height="${HEIGHT - 2 * PAD + 8}" fill="#ddf4ff"/>`;
  const ticks = [-15, -10, -5, 0, 5, 10, 15].map(
    (pct) =>
      `<line x1="${across(pct)}" x2="${across(pct)}" y1="${PAD - 8}" y2="${HEIGHT - PAD}" stroke="${pct === 0 ? '#6e7781' : '#d0d7de'}"/><text x="${across(pct)}" y="${HEIGHT - PAD + 14}" text-anchor="middle">${pct} %</text>`,
  );
  const bars = pairs.map(([name, base, head], index) => {
    const { verdict, ciPct } = judge(base, head);
    const y = (PAD + (index + 0.5) * row).toFixed(1);
    const colour = { regressed: COLOURS[1], same: COLOURS[0] }[verdict] ?? COLOURS[2];
    return [
      `<text x="${left - 10}" y="${y}" text-anchor="end" dominant-baseline="middle">${name}</text>`,
      `<line x1="${across(ciPct[0])}" x2="${across(ciPct[1])}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="5" stroke-linecap="round"/>`,
      `<text x="${right + 8}" y="${y}" dominant-baseline="middle" fill="${colour}">${verdict}</text>`,
    ].join('');
  });
  const axis = `<text x="${left}" y="${HEIGHT - 8}">change of requests a second; shaded: the margin</text>`;
  write(file, 'What the measurement allows the change to be, and the verdict', [
    margin,
    ...ticks,
    ...bars,
    axis,
  ]);
}

/**
 * @param {Boot[]} base
 * @param {Boot[]} head
 * @returns {{ verdict: string, ciPct: [number, number] }} of throughput
 */
function judge(base, head) {
  const [before, after] = [base, head].map((boots) => boots.map((boot) => trialOf(boot)));
  const [compared] = compare(runOf('base', before ?? []), runOf('head', after ?? [])).cases;
  const throughput = compared?.metrics.find(({ metric }) => metric === 'throughput');
  if (!throughput?.ciPct) throw new Error('throughput was not compared');
  return { verdict: throughput.verdict, ciPct: throughput.ciPct };
}

/**
 * @param {string} file
 * @param {string} title
 * @param {string[]} content
 */
function write(file, title, content) {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${PAD}" y="20" font-size="13">${title}</text>`,
    ...content,
    '</svg>',
    '',
  ].join('\n');
  writeFileSync(new URL(`../../docs/img/${file}`, import.meta.url), svg);
}
