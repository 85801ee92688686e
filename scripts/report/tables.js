/**
 * The tables of this field as Markdown, readable in a terminal too.
 * @import { Comparison, LatencyMs, Metric, MetricComparison, Run, RunCase } from '../types.js'
 * @import { Ratio, Row, Table } from './facts.js'
 */

import { markdownTable } from 'markdown-table';
import { METRICS } from '../metrics.js';
import { changeText, figureOf, labelOf, sizesText, verdictText } from './change.js';
import { escaped } from './escape.js';
import { errorText, tablesOf } from './facts.js';
import { count, megabytes, milliseconds, portion, rate, times } from './format.js';
import { failuresOf, footnotesOf } from './notes.js';

/**
 * A column: its heading and its text in a row; empty where it was not measured.
 * @typedef {[string, (row: Row) => string]} Column
 * columns: all figures, or the few a pull request wants and what became of them. brief: of a case that failed only the kind, not the message
 * @typedef {{ comparison?: Comparison | undefined, columns?: 'all' | 'few', brief?: boolean }} Options
 */

/** Of a failure's message, in characters: the whole stands below the table. */
const MESSAGE = 120;

/**
 * @param {Run} run
 * @param {Options} [options]
 * @returns {string[]} a heading and its table each, one a load and route
 */
export function renderTables(run, { comparison, columns = 'all', brief = false } = {}) {
  const { marks } = footnotesOf(run, comparison);
  return tablesOf(run, comparison).map((table) => {
    const wanted = columns === 'all' ? allColumns(table) : fewColumns(table, changeColumns(comparison));
    const failed = table.failed.map((of) => ({ of, text: failureText(of, brief) }));
    return `**${escaped(table.title, 200)}**\n\n${renderTable(table, { wanted, failed, marks })}`;
  });
}

/**
 * @param {Table} table
 * @param {{ wanted: Column[], failed: { of: RunCase, text: string }[], marks: Map<string, string> }} content wanted: a column that is empty in every row is left out
 */
function renderTable({ rows, routes }, { wanted, failed, marks }) {
  const kept = wanted.filter(
    ([name, text]) => (name === ERRORS && failed.length > 0) || rows.some((row) => text(row) !== ''),
  );
  const names = (/** @type {RunCase} */ of) => [
    nameOf(of, marks),
    ...(routes ? [escaped(of.route, 120)] : []),
  ];
  const head = ['Server', ...(routes ? ['Route'] : [])];
  const cells = [
    [...head, ...kept.map(([name]) => name)],
    ...rows.map((row) => [...names(row.of), ...kept.map(([, text]) => text(row))]),
    ...failed.map(({ of, text }) => [...names(of), ...kept.map(([name]) => (name === ERRORS ? text : ''))]),
  ];
  const align = [...head.map(() => 'l'), ...kept.map(([name]) => (WORDS.has(name) ? 'l' : 'r'))];
  return markdownTable(cells, { align });
}

const ERRORS = 'Errors';
/** Columns that hold no figures. */
const WORDS = new Set(['Verdict', 'Metric']);

/** @param {Table} table @returns {Column[]} */
function allColumns(table) {
  return [
    ['Avg ms', latency('avg')],
    ['p50', latency('p50')],
    ['p97.5', latency('p97_5')],
    ['p99', latency('p99')],
    ['Max', latency('max')],
    ['Req/s', throughput],
    ['Requests', ({ summary }) => count(summary.requests)],
    ['MB read', ({ summary }) => (summary.bytes === undefined ? '' : megabytes(summary.bytes))],
    [ERRORS, errors],
    ...METRICS.flatMap(metricColumn),
    ...ratioColumns(table),
  ];
}

/** @param {Metric} metric @returns {Column[]} the mean over boots */
function metricColumn({ column, unit, of: valueOf }) {
  if (column === undefined) return [];
  /** @type {Column[1]} */
  const text = ({ of }) => {
    const boots = of.trials.filter(({ failure, windows }) => !failure && windows.length > 0);
    const values = boots.flatMap((boot) => valueOf(boot) ?? []);
    const whole = values.length > 0 && values.length === boots.length;
    return whole ? figureOf(unit, values.reduce((sum, value) => sum + value, 0) / values.length) : '';
  };
  return [[column, text]];
}

/** @param {Table} table @param {Column[]} changes @returns {Column[]} */
function fewColumns(table, changes) {
  return [
    ...changes,
    ['Req/s', throughput],
    ['p50 ms', latency('p50')],
    ['p99 ms', latency('p99')],
    [ERRORS, errors],
    ...ratioColumns(table),
  ];
}

/**
 * The metric that decided the case, whichever it is: a red verdict beside an unchanged throughput explains nothing.
 * @param {Comparison | undefined} comparison
 * @returns {Column[]}
 */
function changeColumns(comparison) {
  if (!comparison) return [];
  const { against, method } = comparison;
  /** @type {(name: string, text: (change: MetricComparison) => string) => Column} */
  const column = (name, text) => [name, ({ change }) => (change ? text(change) : '')];
  return [
    column('Verdict', (change) => verdictText(change, against)),
    column('Metric', labelOf),
    column(against === 'same' ? 'One side → the other' : 'Base → head', (change) =>
      sizesText(change, method),
    ),
    column('Δ', changeText),
  ];
}

/** @param {Table} table @returns {Column[]} */
function ratioColumns({ reference, yardstick }) {
  return [
    [
      `of ${escaped(reference?.serverName ?? '', 60)}`,
      ({ share }) => (share ? atBound(share, portion(share.value)) : ''),
    ],
    [
      'Ratio',
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
 */
function nameOf(of, marks) {
  return [
    escaped(of.serverName, 120),
    of.reference && '(reference)',
    of.summary?.clientBound && '†',
    marks.get(of.id),
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {Row} row */
function throughput({ summary }) {
  const spread = summary.throughputStdev === undefined ? '' : ` ± ${rate(summary.throughputStdev)}`;
  return rate(summary.throughput) + spread;
}

/** @param {Row} row */
function errors({ of, summary }) {
  const failed = of.trials.filter(({ failure }) => failure).length;
  const boots = failed > 0 ? `${failed} of ${of.trials.length} boots failed` : '';
  return [escaped(errorText(summary.errors)), boots].filter(Boolean).join(', ');
}

/**
 * @param {RunCase} of
 * @param {boolean} brief
 */
function failureText(of, brief) {
  const told = failuresOf(of).map(({ kind, message }) =>
    brief ? escaped(kind) : `${escaped(kind)}: ${escaped(message, MESSAGE)}`,
  );
  return told.join('; ') || 'not measured';
}

/** @param {keyof LatencyMs} name @returns {Column[1]} */
function latency(name) {
  return ({ summary }) => {
    const value = summary.latencyMs?.[name];
    return value === undefined ? '' : milliseconds(value);
  };
}
