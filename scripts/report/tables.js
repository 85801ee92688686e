/**
 * The tables of this field as Markdown, readable in a terminal too.
 * @import { Comparison, LatencyMs, Metric, MetricComparison, Run, RunCase } from '../types.js'
 * @import { Words } from './words.js'
 * @import { Ratio, Row, Table } from './facts.js'
 */

import { markdownTable } from 'markdown-table';
import { METRICS } from '../metrics.js';
import { changeText, figureOf, labelOf, sizesText, verdictText } from './change.js';
import { escaped } from './escape.js';
import { errorText, tablesOf } from './facts.js';
import { fieldsText, loopText } from './load.js';
import { failuresOf, footnotesOf } from './notes.js';

/**
 * A column: its heading and its text in a row; empty where it was not measured.
 * @typedef {[string, (row: Row) => string]} Column
 * columns: all figures, or the few a pull request wants and what became of them. brief: of a case that failed only the kind, not the message
 * @typedef {{ comparison?: Comparison | undefined, columns?: 'all' | 'few', brief?: boolean }} Options
 */

/** The latency that a comparison at a fixed rate is about. */
const RATED = METRICS.find(({ decidesOpen }) => decidesOpen)?.id;
/** Of a failure's message, in characters: the whole stands below the table. */
const MESSAGE = 120;

/**
 * @param {Run} run
 * @param {Words} words
 * @param {Options} [options]
 * @returns {string[]} a heading and its table each, one a load and route
 */
export function renderTables(run, words, { comparison, columns = 'all', brief = false } = {}) {
  const { marks } = footnotesOf(run, comparison, words);
  return tablesOf(run, comparison, words).map((table) => {
    const wanted =
      columns === 'all'
        ? allColumns(table, words)
        : [...changeColumns(comparison, words), ...fewColumns(table, words)];
    const failed = table.failed.map((of) => ({ of, text: failureText(of, brief, words) }));
    const loop = loopText([...table.rows.map(({ of }) => of), ...table.failed], words);
    return `**${escaped(table.title, 200)}** (${loop})\n\n${renderTable(table, { wanted, failed, marks, words })}`;
  });
}

/**
 * @param {Table} table
 * @param {{ wanted: Column[], failed: { of: RunCase, text: string }[], marks: Map<string, string>, words: Words }} content wanted: a column that is empty in every row is left out
 */
function renderTable({ rows, routes, loads }, { wanted, failed, marks, words }) {
  const { columns } = words;
  const ofWords = [columns.verdict, columns.metric];
  const kept = wanted.filter(
    ([name, text]) => (name === columns.errors && failed.length > 0) || rows.some((row) => text(row) !== ''),
  );
  const names = (/** @type {RunCase} */ of) => [
    nameOf(of, marks, words),
    ...(routes ? [escaped(of.route, 120)] : []),
    ...(loads.length > 0 ? [escaped(fieldsText(of.load, loads, words), 200)] : []),
  ];
  const head = [
    columns.server,
    ...(routes ? [columns.route] : []),
    ...(loads.length > 0 ? [columns.load] : []),
  ];
  const cells = [
    [...head, ...kept.map(([name]) => name)],
    ...rows.map((row) => [...names(row.of), ...kept.map(([, text]) => text(row))]),
    ...failed.map(({ of, text }) => [
      ...names(of),
      ...kept.map(([name]) => (name === columns.errors ? text : '')),
    ]),
  ];
  const align = [...head.map(() => 'l'), ...kept.map(([name]) => (ofWords.includes(name) ? 'l' : 'r'))];
  return markdownTable(cells, { align });
}

/** @param {Table} table @param {Words} words @returns {Column[]} */
function allColumns(table, words) {
  const { columns, count, megabytes } = words;
  return [
    ...latencyColumns(columns.latency, table, words),
    [columns.rate, (row) => throughput(row, words)],
    [columns.requests, ({ summary }) => count(summary.requests)],
    [columns.read, ({ summary }) => (summary.bytes === undefined ? '' : megabytes(summary.bytes))],
    [columns.errors, (row) => errors(row, words)],
    ...METRICS.flatMap((metric) => metricColumn(metric, words)),
    ...ratioColumns(table, words),
  ];
}

/** @param {Metric} metric @param {Words} words @returns {Column[]} the mean over boots */
function metricColumn({ column, unit, of: valueOf }, words) {
  if (column === undefined) return [];
  /** @type {Column[1]} */
  const text = ({ of }) => {
    const boots = of.trials.filter(({ failure, windows }) => !failure && windows.length > 0);
    const values = boots.flatMap((boot) => valueOf(boot) ?? []);
    const whole = values.length > 0 && values.length === boots.length;
    return whole ? figureOf(unit, values.reduce((sum, value) => sum + value, 0) / values.length, words) : '';
  };
  return [[column, text]];
}

/** @param {Table} table @param {Words} words @returns {Column[]} */
function fewColumns(table, words) {
  const { columns } = words;
  return [
    [columns.rate, (row) => throughput(row, words)],
    ...latencyColumns(columns.latencyFew, table, words),
    [columns.errors, (row) => errors(row, words)],
    ...ratioColumns(table, words),
  ];
}

/**
 * The metric that decided the case, whichever it is: a red verdict beside an unchanged throughput explains nothing.
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {Column[]}
 */
function changeColumns(comparison, words) {
  if (!comparison) return [];
  const { against, method } = comparison;
  const { columns } = words;
  /** @type {(name: string, text: (change: MetricComparison) => string) => Column} */
  const column = (name, text) => [name, ({ change }) => (change ? text(change) : '')];
  return [
    column(columns.verdict, (change) => verdictText(change, against, words)),
    column(columns.metric, (change) => labelOf(change, words)),
    column(against === 'same' ? columns.bothSides : columns.sides, (change) =>
      sizesText(change, method, words),
    ),
    column(columns.change, (change) => changeText(change, words)),
  ];
}

/** @param {Table} table @param {Words} words @returns {Column[]} */
function ratioColumns({ reference, yardstick }, { columns, portion, times }) {
  return [
    [
      columns.of(escaped(reference?.serverName ?? '', 60)),
      ({ share }) => (share ? atBound(share, portion(share.value)) : ''),
    ],
    [
      columns.ratio,
      ({ ratio }) =>
        ratio ? atBound(ratio, `${times(ratio.value)} ${escaped(yardstick?.serverName ?? '', 60)}`) : '',
    ],
  ];
}

/**
 * @param {Ratio} ratio
 * @param {string} text
 */
function atBound({ bound }, text) {
  if (!bound) return text;
  return `${bound === 'at least' ? '≥' : '≤'} ${text}`;
}

/**
 * @param {RunCase} of
 * @param {Map<string, string>} marks
 * @param {Words} words
 */
function nameOf(of, marks, { tables }) {
  return [
    escaped(of.serverName, 120),
    of.reference && tables.reference,
    of.summary?.clientBound && '†',
    marks.get(of.id),
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {Row} row @param {Words} words */
function throughput({ summary }, { rate }) {
  const spread = summary.throughputStdev === undefined ? '' : ` ± ${rate(summary.throughputStdev)}`;
  return rate(summary.throughput) + spread;
}

/** @param {Row} row @param {Words} words */
function errors({ of, summary }, words) {
  const failed = of.trials.filter(({ failure }) => failure).length;
  const boots = failed > 0 ? words.tables.bootsFailed(failed, of.trials.length) : '';
  return [escaped(errorText(summary.errors, words)), boots].filter(Boolean).join(', ');
}

/**
 * @param {RunCase} of
 * @param {boolean} brief
 * @param {Words} words
 */
function failureText(of, brief, { tables }) {
  const told = failuresOf(of).map(({ kind, message }) =>
    brief ? escaped(kind) : `${escaped(kind)}: ${escaped(message, MESSAGE)}`,
  );
  return told.join('; ') || tables.notMeasured;
}

/**
 * @param {Partial<Record<keyof LatencyMs, string>>} headings
 * @param {Table} table
 * @param {Words} words
 * @returns {Column[]} at one rate, what the latencies are at
 */
function latencyColumns(headings, { rows }, { milliseconds, atRate }) {
  const rates = new Set(rows.map(({ of }) => of.load?.rate));
  const [rate] = rates.size === 1 ? rates : [];
  return Object.entries(headings).map(([name, heading]) => [
    rate !== undefined && name === RATED ? atRate(heading, rate) : heading,
    ({ summary }) => {
      const value = summary.latencyMs?.[/** @type {keyof LatencyMs} */ (name)];
      return value === undefined ? '' : milliseconds(value);
    },
  ]);
}
