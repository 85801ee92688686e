/**
 * The picture of a run that was compared with nothing: curves where a setting has several values, pairs where
 * it is on and off, otherwise bars.
 * @import { Run, RunCase } from '../../types.js'
 * @import { Row, Table } from '../document/table-rows.js'
 * @import { Words } from '../text/words.js'
 */

import { group } from 'd3-array';
import { conditionsOf } from '../../model/dimensions.js';
import { levelOf, valuesOf } from '../../samples/case-figures.js';
import { figure as figureRow, LEADING } from '../../samples/figures.js';
import { drawBars } from '../charts/bars.js';
import { drawPercentiles } from '../charts/percentiles.js';
import { tablesOf } from '../document/table-rows.js';
import { headingOf } from '../text/change-words.js';
import { fieldsText } from '../text/load-words.js';
import { shortNames } from '../text/names.js';
import { laddersOf, renderLadders } from './ladders.js';
import { caption, figure, legend } from './markup.js';
import { curvesOf } from './series.js';

/** Colours that the eye can tell apart, and rows that fit in a picture. */
const [COLOURS, ROWS] = [6, 40];
/** Who has servers observed from inside asks for these. */
const INSIDE = ['meanMemory', 'eventLoopP99'];
/** What a request costs. */
const BESIDE = ['cpuPerRequest'];

/** @typedef {{ runCase: RunCase, name: string, kind: string, pair: string }} Bar */

/** @type {(run: Run, words: Words) => string} */
export function renderSpeeds(run, words) {
  const ladders = laddersOf(run);
  const drawn = new Set(ladders.flatMap(({ rungs }) => rungs.map(({ runCase }) => runCase)));
  const tables = tablesOf(run, undefined, words).filter(
    ({ rows }) => drawn.size === 0 || rows.some(({ runCase }) => !runCase.reference && !drawn.has(runCase)),
  );
  // The heading below a picture that is alone has its conditions.
  const isAlone = tables.length + ladders.length === 1;
  const drawTable = (/** @type {Table} */ table) =>
    renderTable(table, { words, about: isAlone ? '' : `: ${table.title}` });
  const html = renderLadders(ladders, run, words) + tables.map(drawTable).join('');
  return html && `${html}${caption('', words.page.hover)}`;
}

/**
 * Empty where there is nothing to compare; about: its conditions, or ''.
 * @type {(table: Table, context: { words: Words, about: string }) => string}
 */
function renderTable(table, { words, about }) {
  const bars = barsOf(table, words);
  if (bars.length < 2) return '';
  const hasAll = (/** @type {string} */ id) => bars.every(({ runCase }) => levelOf(runCase, id));
  const inside = hasAll('eventLoopP99') ? INSIDE.filter(hasAll) : [];
  const curved = inside.length > 0 ? [] : [...group(bars.slice(0, COLOURS), ({ pair }) => pair)];
  // Three charts fill a row.
  const beside = inside.length + curved.length < 2 ? BESIDE.filter(hasAll) : [];
  const drawn = [...inside, LEADING.id, ...beside].map((id) => {
    const row = figureRow(id);
    const own = bars.flatMap(({ runCase, ...bar }) => {
      const { value } = levelOf(runCase, id) ?? {};
      const isReference = runCase.reference === true;
      return value === undefined ? [] : { ...bar, value, isReference, starts: valuesOf(runCase, row) };
    });
    const title = `${headingOf(row, words)}${about}`;
    return figure(drawBars({ title, unit: row.unit, bars: own }, words));
  });
  const curves = curved.map(([pair, own]) => {
    const svg = drawPercentiles(curvesOf(own), words, pair);
    return svg && `<figure>${svg}${legend(own)}</figure>`;
  });
  const shown = [...drawn, ...curves].filter(Boolean).map((html) => `<div>${html}</div>`);
  return `<div class="charts">${shown.join('')}</div>`;
}

/**
 * Each has its colour; where a setting is on and off, those that differ in nothing else lie beside each
 * other, on in one colour, off in the other.
 * @type {(table: Table, words: Words) => Bar[]}
 */
function barsOf({ rows, routes, loads }, words) {
  const measured = rows.filter(({ summary }) => Number.isFinite(summary.throughput)).slice(0, ROWS);
  const switched = loads.find((field) =>
    measured.every(({ runCase }) => typeof conditionsOf(runCase)[field] === 'boolean'),
  );
  const rest = loads.filter((field) => field !== switched);
  const pairOf = (/** @type {Row} */ { runCase }) =>
    switched
      ? [routes && runCase.route, fieldsText(conditionsOf(runCase), rest, words)].filter(Boolean).join(', ')
      : '';
  const ordered = [...group(measured, pairOf).values()].flat();
  const named = ordered.map(({ runCase, load }) => ({
    ...runCase,
    name:
      [routes && `${runCase.serverName} ${runCase.route}`, load].filter(Boolean).join(', ') ||
      runCase.serverName,
  }));
  const names = shortNames(named.filter(({ reference }) => !reference));
  return ordered.map((row, nth) => {
    const { runCase, summary } = row;
    const isOff = switched !== undefined && !conditionsOf(runCase)[switched];
    const colour = switched ? Number(isOff) : nth;
    const marks = [summary.clientBound && '†', runCase.reference && words.tables.reference];
    return {
      runCase,
      name: [names.get(runCase.id) ?? named[nth]?.name, ...marks].filter(Boolean).join(' '),
      kind: colour < COLOURS ? `s${colour}` : 'aside',
      pair: pairOf(row),
    };
  });
}
