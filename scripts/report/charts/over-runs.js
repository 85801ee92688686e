/**
 * A figure over many runs: every run as a dot, the levels as lines, the steps between them upright.
 * @import { Format, Point, Scale } from './svg.js'
 */

import { extent, groups, max, median, min, quantile } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { entities } from '../render/escape.js';
import { bottomAxis, box, dots, drawing, leftAxis, lines, text, upright, WIDTH } from './svg.js';

/**
 * kind: a class, of the kind of machine; step: a level ends before this run; at: when it was measured,
 * ISO 8601; commit: its short name, and where it is shown.
 * @typedef {{ value: number, level: number, kind: string, step?: 'better' | 'worse', at: string,
 *   commit?: { sha: string, href?: string } }} Run
 * @typedef {{ name: string, label: string, runs: Run[], format: Format,
 *   countOf: (runs: number) => string }} Drawn
 */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 8, 24, 150];
/** The most columns that can be told apart. */
const COLUMNS = 300;
/** Parts that have their figures on hover. */
const PARTS = 60;
/** A pause is so many times as long as the usual one between two runs, and as wide as this share of them. */
const [PAUSE, PAUSE_WIDTH] = [7, 0.04];
/** Half the width of a commit. */
const COMMIT = 32;
/** The share of runs at either end that may lie beyond the axis: one wrecked run flattens no others. */
const BEYOND = 0.01;

/** @type {(drawn: Drawn) => string} */
export function drawTrend({ name, label, runs, format, countOf }) {
  const placed = withPauses(runs);
  const across = scaleLinear([-0.5, (placed.at(-1)?.nth ?? 0) + 0.5], [LEFT, RIGHT]);
  const values = runs.map(({ value }) => value);
  const [low = 0, high = 1] = extent([
    quantile(values, BEYOND) ?? 0,
    quantile(values, 1 - BEYOND) ?? 1,
    ...runs.map(({ level }) => level),
  ]);
  const room = Math.max((high - low) / 8, high / 100);
  const up = scaleLinear([Math.max(0, low - room), high + room], [BOTTOM, TOP]).clamp(true);
  const ticks = [0, Math.floor(runs.length / 2), runs.length - 1];
  const named = [...new Set(ticks)].flatMap((tick) => placed[tick] ?? []);
  return drawing(BOTTOM + 34, `${name}: ${label}`, [
    text([0, 14], name, { kind: 'title', width: 210 }),
    text([RIGHT, 14], label, { kind: 'end', width: 150 }),
    leftAxis(up, { left: LEFT, right: RIGHT, format, values: up.ticks(4) }),
    bottomAxis(across, {
      top: BOTTOM,
      bottom: BOTTOM,
      values: named.map(({ nth }) => nth),
      format: (nth) => named.find((run) => run.nth === nth)?.at.slice(0, 10) ?? '',
    }),
    ...named.map(({ nth, commit }) => {
      const x = Math.max(COMMIT, Math.min(across(nth), WIDTH - COMMIT));
      const sha = commit ? text([x, BOTTOM + 29], commit.sha) : '';
      return `<g class="x">${commit?.href ? `<a href="${entities(commit.href)}">${sha}</a>` : sha}</g>`;
    }),
    marks(placed, across, up),
    ...hovers(placed, across, { format, countOf }),
  ]);
}

/**
 * What the runs of a part measured.
 * @type {(placed: (Run & { nth: number })[], across: Scale, words: Pick<Drawn, 'format' | 'countOf'>) =>
 *   string[]}
 */
function hovers(placed, across, { format, countOf }) {
  const wide = Math.max(1, placed.length / PARTS);
  return groups(placed, ({ nth }) => Math.floor(nth / wide)).map(([, own]) => {
    const [first, last] = [own[0], own.at(-1)];
    const values = extent(own, ({ value }) => value).map((value) => format(value ?? 0));
    const [days, ends] = [[first, last].map((run) => run?.at.slice(0, 10)), values].map((both) =>
      [...new Set(both)].join(' … '),
    );
    const about = own.length > 1 ? countOf(own.length) : first?.commit?.sha;
    const x = /** @type {[number, number]} */ (
      [(first?.nth ?? 0) - 0.5, (last?.nth ?? 0) + 0.5].map((nth) => across(nth))
    );
    return box({ x, y: [TOP, BOTTOM] }, 'hover', [ends, days, about].filter(Boolean).join('\n'));
  });
}

/** Gives places, with room where a long time passed. @type {(runs: Run[]) => (Run & { nth: number })[]} */
function withPauses(runs) {
  const waits = runs.map(({ at }, place) => Date.parse(at) - Date.parse(runs[place - 1]?.at ?? at));
  const long = PAUSE * (median(waits.slice(1)) ?? Infinity);
  const width = 1 + PAUSE_WIDTH * runs.length;
  let pauses = 0;
  return runs.map((run, place) => {
    if (long > 0 && (waits[place] ?? 0) > long) pauses++;
    return { ...run, nth: place + pauses * width };
  });
}

/** @type {(placed: (Run & { nth: number })[], across: Scale, up: Scale) => string} */
function marks(placed, across, up) {
  const wide = Math.max(1, placed.length / COLUMNS);
  return [
    ...placed.flatMap(({ step, nth }) =>
      step ? upright(across(nth - 0.5), [TOP, BOTTOM], `step ${step}`) : [],
    ),
    ...groups(placed, ({ kind }) => kind).flatMap(([kind, own]) => {
      const columns = groups(own, ({ nth }) => Math.floor(nth / wide)).map(([, column]) => ({
        x: /** @type {[number, number]} */ (extent(column, ({ nth }) => across(nth))),
        values: column.map(({ value }) => up(value)),
      }));
      const ranges = columns.filter(({ values }) => values.length > 1);
      return [
        ...ranges.map(({ x: [left, right], values }) =>
          box({ x: [left - 0.5, right + 0.5], y: [min(values) ?? 0, max(values) ?? 0] }, `range ${kind}`),
        ),
        dots(
          columns.map(({ x: [left, right], values }) => [(left + right) / 2, median(values) ?? 0]),
          `small ${kind}`,
        ),
        lines(levelsOf(own, across, up), `thick ${kind}`),
      ];
    }),
  ].join('');
}

/** Ends of each level. @type {(runs: (Run & { nth: number })[], across: Scale, up: Scale) => Point[][]} */
function levelsOf(runs, across, up) {
  /** @type {(Run & { nth: number })[][]} */
  const levels = [];
  for (const run of runs) {
    const last = levels.at(-1);
    if (last?.[0]?.level === run.level) last.push(run);
    else levels.push([run]);
  }
  return levels.map((level) => {
    const [first = 0, last = 0] = extent(level, ({ nth }) => nth);
    const y = up(level[0]?.level ?? 0);
    return [
      [across(first - 0.5), y],
      [across(last + 0.5), y],
    ];
  });
}
