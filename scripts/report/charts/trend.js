/**
 * A figure over many runs: every run as a dot, the levels as lines, the steps between them upright.
 * @import { Words } from '../text/words.js'
 */

import { extent, max, median, min, quantile } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { entities } from '../render/escape.js';
import { bottomAxis, box, dots, drawing, leftAxis, lines, place, text, WIDTH } from './svg.js';

/**
 * kind: of machine, as a class; step: whether a level ends before this run
 * @typedef {{ value: number, level: number, kind: string, step?: 'better' | 'worse' | undefined }} Run
 */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 8, 24, 150];
/** As many columns can be told apart. */
const COLUMNS = 300;
/** Of the runs, at either end, may lie beyond the axis: one wrecked run must not flatten all others. */
const BEYOND = 0.01;

/** Dates stand so many runs apart, which is as many pixels at least, and more closely where a run has sixteen. */
const [DATED, NEAR] = [80, 10];

/** dateOf: the run's at that place. @typedef {{ name: string, told: string, runs: Run[], dateOf: (at: number) => string, format: (value: number) => string }} Drawn */

/** @param {Drawn} of @param {Words} words @returns {string} */
export function drawTrend({ name, told, runs, dateOf, format }, words) {
  const across = scaleLinear([-0.5, runs.length - 0.5], [LEFT, RIGHT]);
  const up = heightsOf(runs);
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  const ticks = [0, Math.floor(runs.length / 2), runs.length - 1].filter(
    (at, nth, all) => all.indexOf(at) === nth,
  );
  return drawing(BOTTOM + 34, `${name}: ${told}`, [
    text([0, 14], name, { kind: 'title', width: 210 }),
    text([RIGHT, 14], told, { kind: 'end', width: 150 }),
    leftAxis(up, { left: LEFT, right: RIGHT, format, values: up.ticks(4) }),
    bottomAxis(across, {
      ...{ top: BOTTOM, bottom: BOTTOM, values: ticks, label: words.trend.runs },
      format: dateOf,
    }),
    ...runs.flatMap(({ step }, at) =>
      step ? [`<path class="step ${step}" d="M${place(across(at - 0.5))} ${TOP}V${BOTTOM}"/>`] : [],
    ),
    ...kinds.flatMap((kind) => {
      const own = runs.flatMap((run, at) => (run.kind === kind ? [{ ...run, at }] : []));
      const columns = columnsOf(own, runs.length);
      return [
        ...columns
          .filter(({ values: seen }) => seen.length > 1)
          .map(({ from, to, values: seen }) =>
            box(
              { x: [across(from) - 0.5, across(to) + 0.5], y: [up(max(seen) ?? 0), up(min(seen) ?? 0)] },
              `range ${kind}`,
            ),
          ),
        dots(
          columns.map(({ from, to, values: seen }) => [across((from + to) / 2), up(median(seen) ?? 0)]),
          `small ${kind}`,
        ),
        lines(
          levelsOf(own).map((level) => level.map(({ at, value }) => [across(at), up(value)])),
          `thick ${kind}`,
        ),
      ];
    }),
  ]);
}

/**
 * Every run has a place of its own, as wide as the page's style says: so the same drawing serves every zoom.
 * @param {Drawn} of
 * @returns {string} an axis, and beside it what can be moved sideways
 */
export function drawRuns({ name, told, runs, dateOf, format }) {
  const up = heightsOf(runs);
  const y = (/** @type {number} */ value) => place(up(value));
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  const ticks = up.ticks(4);
  const upright = runs.flatMap(({ step }, at) =>
    step ? [`<path class="step ${step}" d="M${at} ${TOP}V${BOTTOM}"/>`] : [],
  );
  const drawn = kinds.map((kind) => {
    const own = runs.flatMap((run, at) => (run.kind === kind ? [{ ...run, at }] : []));
    const levels = levelsOf(own).map(
      ([from, to]) => from && to && `M${from.at + 0.5} ${y(from.value)}H${to.at + 0.5}`,
    );
    const path = own.map(({ at, value }) => `M${at + 0.5} ${y(value)}h0`).join('');
    return `<path class="dots small ${kind}" d="${path}"/><path class="line thick ${kind}" d="${levels.join('')}"/>`;
  });
  const dates = runs.flatMap((_, at) => {
    if (at % NEAR !== NEAR / 2) return [];
    const near = at % DATED === NEAR / 2 ? '' : ' class="near"';
    return `<text x="${(100 * (at + 0.5)) / runs.length}%" y="${BOTTOM + 14}"${near}>${entities(dateOf(at))}</text>`;
  });
  const grid = ticks.map((value) => `M0 ${y(value)}H${runs.length}`).join('');
  const height = BOTTOM + 20;
  const label = entities(`${name}: ${told}`, 300);
  return [
    `<div class="runs"><svg width="${LEFT}" height="${height}" aria-hidden="true">`,
    leftAxis(up, { left: LEFT, right: LEFT, format, values: ticks }),
    `</svg><div class="scroll" role="group" tabindex="0" aria-label="${label}">`,
    `<svg role="img" aria-label="${label}" style="--runs:${runs.length}" height="${height}"><svg viewBox="0 0 ${runs.length} ${height}" preserveAspectRatio="none" width="100%" height="${height}">`,
    `<path class="grid" d="${grid}"/>${upright.join('')}${drawn.join('')}</svg><g class="x">${dates.join('')}</g></svg></div></div>`,
  ].join('');
}

/** @param {Run[]} runs */
function heightsOf(runs) {
  const values = runs.map(({ value }) => value);
  const [low = 0, high = 1] = extent([
    quantile(values, BEYOND) ?? 0,
    quantile(values, 1 - BEYOND) ?? 1,
    ...runs.map(({ level }) => level),
  ]);
  const room = Math.max((high - low) / 8, high / 100);
  return scaleLinear([Math.max(0, low - room), high + room], [BOTTOM, TOP]).clamp(true);
}

/**
 * @param {(Run & { at: number })[]} runs of one kind
 * @param {number} all how many runs there are
 * @returns {{ from: number, to: number, values: number[] }[]} neighbours that fall on one column
 */
function columnsOf(runs, all) {
  const wide = Math.max(1, all / COLUMNS);
  /** @type {Map<number, (Run & { at: number })[]>} */
  const columns = new Map();
  for (const run of runs) {
    const column = Math.floor(run.at / wide);
    columns.set(column, [...(columns.get(column) ?? []), run]);
  }
  return [...columns.values()].map((own) => ({
    from: /** @type {Run & { at: number }} */ (own[0]).at,
    to: /** @type {Run & { at: number }} */ (own.at(-1)).at,
    values: own.map(({ value }) => value),
  }));
}

/**
 * @param {(Run & { at: number })[]} runs of one kind
 * @returns {{ at: number, value: number }[][]} the ends of each level
 */
function levelsOf(runs) {
  /** @type {{ at: number, value: number }[][]} */
  const levels = [];
  for (const { at, level: value } of runs) {
    const last = levels.at(-1);
    if (last?.[0]?.value === value) last.splice(1, 1, { at, value });
    else
      levels.push([
        { at: at - 0.5, value },
        { at: at + 0.5, value },
      ]);
  }
  return levels;
}
