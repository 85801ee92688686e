/**
 * The tables of this field as Markdown, readable in a terminal too.
 * @import { Comparison, Figure, LatencyMs, MetricComparison, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Ratio, Row, Table } from './table-rows.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { markdownTable } from 'markdown-table';
import { FIGURES, METRICS } from '../../samples/figures.js';
import { figureIn } from '../../samples/samples.js';
import { changeText, figureOf, labelOf, sizesText, verdictText } from '../text/change.js';
import { escaped } from '../render/escape.js';
import { errorText, tablesOf } from './table-rows.js';
import { fieldsText, loopText } from '../text/load.js';
import { failuresOf, footnotesOf } from './notes.js';

/**
 * A column: its heading, its text in a row, empty where it was not measured, and how soon it goes where there is no room: the
 * highest first, 0 never.
 * @typedef {[string, (row: Row) => string, number]} Column
 * A table before it is written, as Markdown. loop: whether its loads are open or closed; soon: of each column, as above
 * @typedef {{ title: string, loop: string, head: string[], rows: string[][], align: ('l' | 'r')[], soon: number[] }} Laid
 * columns: all figures, or the few a pull request wants and what became of them. shown: the cases that have rows, beside the reference; all
 * where absent
 * @typedef {{ comparison?: Comparison | undefined, columns?: 'all' | 'few', shown?: Set<string> }} Options
 */

/** The latency that a comparison at a fixed rate is about. */
const RATED = METRICS.find(({ judged }) => judged.decidesOpen)?.id;
/** How soon a percentile goes where there is no room. @type {Record<string, number>} */
const LATENCY_SOON = { p99: 3, p50: 6 };

/**
 * @param {Run} run
 * @param {Words} words
 * @param {Options} [options]
 * @returns {string[]} a heading and its table each, one a load and route
 */
export function renderTables(run, words, options) {
  return layTables(run, words, options).map(
    ({ title, loop, head, rows, align }) =>
      `**${title}** (${loop})\n\n${markdownTable([head, ...rows], { align })}`,
  );
}

/**
 * @param {Run} run
 * @param {Words} words
 * @param {Options} [options]
 * @returns {Laid[]}
 */
export function layTables(run, words, { comparison, columns = 'all', shown } = {}) {
  const { marks } = footnotesOf(run, comparison, words);
  const isShown = (/** @type {RunCase} */ { id, reference }) => !shown || reference === true || shown.has(id);
  const tables = tablesOf(run, comparison, words).map((table) => ({
    ...table,
    rows: table.rows.filter(({ of }) => isShown(of)),
    failed: table.failed.filter(isShown),
  }));
  const told = tables.filter(
    ({ rows, failed }) => !shown || failed.length > 0 || rows.some(({ of }) => shown.has(of.id)),
  );
  return told.map((table) => {
    const wanted =
      columns === 'all'
        ? allColumns(table, comparison, words)
        : [...changeColumns(comparison, words), ...fewColumns(table, comparison, words)];
    const failed = table.failed.map((of) => ({ of, text: failureText(of, words) }));
    return {
      title: escaped(table.title, 200),
      loop: loopText([...table.rows.map(({ of }) => of), ...table.failed], words),
      ...layTable(table, { wanted, failed, marks, words }),
    };
  });
}

/**
 * @param {Table} table
 * @param {{ wanted: Column[], failed: { of: RunCase, text: string }[], marks: Map<string, string>, words: Words }} content wanted: a column that is empty in every row is left out
 * @returns {Omit<Laid, 'title' | 'loop'>}
 */
function layTable({ rows, routes, loads }, { wanted, failed, marks, words }) {
  const { columns } = words;
  const ofWords = [columns.verdict, columns.metric];
  const kept = wanted.filter(
    ([name, text]) => (name === columns.errors && failed.length > 0) || rows.some((row) => text(row) !== ''),
  );
  const names = (/** @type {RunCase} */ of) => [
    nameOf(of, marks, words),
    ...(routes ? [escaped(of.route, 120)] : []),
    ...(loads.length > 0 ? [escaped(fieldsText(conditionsOf(of), loads, words), 200)] : []),
  ];
  const head = [
    columns.server,
    ...(routes ? [columns.route] : []),
    ...(loads.length > 0 ? [columns.load] : []),
  ];
  const measured = rows.map((row) => [...names(row.of), ...kept.map(([, text]) => text(row))]);
  const failures = failed.map(({ of, text }) => [
    ...names(of),
    ...kept.map(([name]) => (name === columns.errors ? text : '')),
  ]);
  const wasCompared = rows.some(({ verdict }) => verdict !== undefined);
  return {
    head: [...head, ...kept.map(([name]) => name)],
    rows: wasCompared ? [...failures, ...measured] : [...measured, ...failures],
    align: [
      ...head.map(() => /** @type {const} */ ('l')),
      ...kept.map(([name]) => /** @type {'l' | 'r'} */ (ofWords.includes(name) ? 'l' : 'r')),
    ],
    soon: [...head.map(() => 0), ...kept.map(([, , soon]) => soon)],
  };
}

/** @param {Table} table @param {Comparison | undefined} comparison @param {Words} words @returns {Column[]} */
function allColumns(table, comparison, words) {
  const { columns, count, megabytes } = words;
  return [
    ...latencyColumns(columns.latency, table, words),
    [columns.rate, (row) => throughput(row, words), 0],
    [columns.peak, ({ of }) => peak(of, words), 7],
    [columns.requests, ({ summary }) => count(summary.requests), 8],
    [columns.read, ({ summary }) => (summary.bytes === undefined ? '' : megabytes(summary.bytes)), 9],
    [columns.errors, (row) => errors(row, words), 1],
    ...FIGURES.flatMap((figure) => figureColumn(figure, words)),
    // How servers stand to each other is no part of a comparison of two sides.
    ...(comparison ? [] : ratioColumns(table, words)),
  ];
}

/** @param {Figure} figure @param {Words} words @returns {Column[]} the mean over boots */
function figureColumn({ id, column, unit }, words) {
  if (column === undefined) return [];
  /** @type {Column[1]} */
  const text = ({ of }) => {
    const boots = of.trials.filter(({ failure, windows }) => !failure && windows.length > 0);
    const values = boots.flatMap((boot) => figureIn(id, boot.windows) ?? []);
    const whole = values.length > 0 && values.length === boots.length;
    return whole ? figureOf(unit, values.reduce((sum, value) => sum + value, 0) / values.length, words) : '';
  };
  return [[column, text, 4]];
}

/** @param {Table} table @param {Comparison | undefined} comparison @param {Words} words @returns {Column[]} */
function fewColumns(table, comparison, words) {
  const { columns } = words;
  return [
    [columns.rate, (row) => throughput(row, words), 2],
    ...latencyColumns(columns.latencyFew, table, words),
    [columns.errors, (row) => errors(row, words), 1],
    // How servers stand to each other is no part of a comparison of two sides.
    ...(comparison ? [] : ratioColumns(table, words)),
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
  /** @type {(name: string, text: (change: MetricComparison) => string, soon: number) => Column} */
  const column = (name, text, soon) => [name, ({ change }) => (change ? text(change) : ''), soon];
  return [
    column(columns.verdict, (change) => verdictText(change, against, words), 0),
    column(columns.metric, (change) => labelOf(change, words), 3),
    column(
      against === 'self' ? columns.bothSides : columns.sides,
      (change) => sizesText(change, method, words),
      5,
    ),
    column(columns.change, (change) => changeText(change, words), 0),
  ];
}

/** @param {Table} table @param {Words} words @returns {Column[]} */
function ratioColumns({ reference, yardstick }, { columns, portion, multiple }) {
  return [
    [
      columns.of(escaped(reference?.serverName ?? '', 60)),
      ({ share }) => (share ? atBound(share, portion(share.value)) : ''),
      7,
    ],
    [
      columns.ratio,
      ({ ratio }) =>
        ratio ? atBound(ratio, `${multiple(ratio.value)} ${escaped(yardstick?.serverName ?? '', 60)}`) : '',
      5,
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

/** @param {RunCase} of @param {Words} words */
function peak({ trials }, { rate }) {
  const windows = trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
  const peaks = windows.flatMap(({ peakRequestsPerSecond }) => peakRequestsPerSecond ?? []);
  return peaks.length > 0 ? rate(Math.max(...peaks)) : '';
}

/** @param {Row} row @param {Words} words */
function errors({ of, summary }, words) {
  const failed = of.trials.filter(({ failure }) => failure).length;
  const boots = failed > 0 ? words.tables.bootsFailed(failed, of.trials.length) : '';
  return [escaped(errorText(summary.errors, words)), boots].filter(Boolean).join(', ');
}

/**
 * @param {RunCase} of
 * @param {Words} words
 */
function failureText(of, { tables }) {
  return (
    failuresOf(of)
      .map(({ kind }) => escaped(kind))
      .join('; ') || tables.notMeasured
  );
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
    LATENCY_SOON[name] ?? 10,
  ]);
}
