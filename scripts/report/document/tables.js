/**
 * The tables of this field: servers beside each other, or what became of each case.
 * @import { Comparison, Errors, Figure, LatencyMs, MetricComparison, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Column, TableBlock } from './blocks.js'
 * @import { Ratio, Row, Table } from './table-rows.js'
 */

import { mean, sum } from 'd3-array';
import { conditionsOf } from '../../model/dimensions.js';
import { FIGURES, METRICS } from '../../samples/figures.js';
import { figureIn } from '../../samples/samples.js';
import { changeText, figureOf, labelOf, verdictText } from '../text/change.js';
import { plain } from '../text/inline.js';
import { fieldsText, loopText } from '../text/load.js';
import { column, names, table } from './blocks.js';
import { failuresOf } from './failures.js';
import { tablesOf } from './table-rows.js';

/** The latency that a comparison at a fixed rate is about. */
const RATED = METRICS.find(({ judged }) => judged.decidesOpen)?.id;
/** Columns go the highest first where there is no room. @type {Record<string, number>} */
const LATENCY_PRIORITY = { p99: 3, p50: 6 };

/** A row, or a case without a figure. @typedef {{ of: RunCase, row?: Row, failed?: boolean }} Line */

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison | undefined, columns: 'all' | 'few', marks: Map<string, string>, words: Words }} context
 *   few: what a pull request wants, and what became of each case; marks: of footnotes, by case
 * @returns {TableBlock[]} one a load and route
 */
export function caseTables(run, { comparison, columns, marks, words }) {
  return tablesOf(run, comparison, words).map((laid) => {
    const measured = laid.rows.map((row) => /** @type {Line} */ ({ of: row.of, row }));
    const failed = laid.failed.map((of) => ({ of, failed: true }));
    // The worst verdict comes first; where nothing was compared, servers are ranked.
    const ranked = comparison ? [...failed, ...measured] : [...measured, ...failed];
    const lines = ranked.toSorted((a, b) => Number(a.of.reference ?? 0) - Number(b.of.reference ?? 0));
    const figures =
      columns === 'all'
        ? allColumns(lines, laid, words)
        : [...changeColumns(lines, comparison, words), ...fewColumns(lines, laid, { comparison, words })];
    // How servers stand to each other is no part of a comparison of two sides.
    const ratios = comparison ? [] : ratioColumns(lines, laid, words);
    return table([...nameColumns(lines, laid, { marks, words }), ...figures, ...ratios], {
      title: `${plain(laid.title, 200)} (${loopText(
        lines.map(({ of }) => of),
        words,
      )})`,
      pinned: lines.filter(({ of }) => of.reference).length,
    });
  });
}

/**
 * @param {Line[]} lines
 * @param {Table} laid
 * @param {{ marks: Map<string, string>, words: Words }} context
 * @returns {Column[]}
 */
function nameColumns(lines, { routes, loads }, { marks, words }) {
  const { columns, tables } = words;
  const nameOf = (/** @type {RunCase} */ of) =>
    [
      plain(of.serverName, 120),
      of.reference && tables.reference,
      of.summary?.clientBound && '†',
      marks.get(of.id),
    ]
      .filter(Boolean)
      .join(' ');
  return [
    names(lines, columns.server, ({ of }) => nameOf(of)),
    ...(routes ? [names(lines, columns.route, ({ of }) => plain(of.route, 120))] : []),
    ...(loads.length > 0
      ? [names(lines, columns.load, ({ of }) => plain(fieldsText(conditionsOf(of), loads, words), 200))]
      : []),
  ];
}

/**
 * The metric that decided the case, whichever it is: a red verdict beside an unchanged throughput explains nothing.
 * @param {Line[]} lines
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {Column[]}
 */
function changeColumns(lines, comparison, words) {
  if (!comparison) return [];
  const { against } = comparison;
  const { columns } = words;
  const of =
    (/** @type {(change: MetricComparison) => string} */ text) =>
    (/** @type {Line} */ { row }) =>
      row?.change ? text(row.change) : '';
  const verdict = of((change) => verdictText(change, against, words));
  return [
    {
      ...names(lines, columns.verdict, (line) =>
        line.failed ? words.change.verdicts.failed : verdict(line),
      ),
      isTold: true,
      verdicts: lines.map(({ row, failed }) => (failed ? 'failed' : row?.change?.verdict)),
    },
    column(
      lines,
      columns.change,
      of((change) => changedText(change, words)),
      { priority: 0, isTold: true },
    ),
  ];
}

/** @param {MetricComparison} change @param {Words} words @returns {string} "CPU per request +4.1 % (+2.0 to +6.2 %)" */
function changedText(change, words) {
  const text = changeText(change, words);
  return text && `${labelOf(change, words)} ${text}`;
}

/**
 * @param {Line[]} lines
 * @param {Table} laid
 * @param {{ comparison: Comparison | undefined, words: Words }} context
 * @returns {Column[]}
 */
function fewColumns(lines, laid, { comparison, words }) {
  const hasErrors = lines.some(({ of, failed }) => failed || errorsText(of, words) !== '0');
  return [
    rateColumn(lines, words, 2),
    ...latencyColumns(lines, words.columns.latencyFew, laid, words),
    ...(hasErrors ? [errorsColumn(lines, words)] : []),
    ...(comparison ? [] : FIGURES.flatMap((figure) => figureColumn(lines, figure, words))),
  ];
}

/** @param {Line[]} lines @param {Table} laid @param {Words} words @returns {Column[]} */
function allColumns(lines, laid, words) {
  const { columns, count, megabytes } = words;
  const figure = (
    /** @type {string} */ head,
    /** @type {(row: Row) => string} */ text,
    /** @type {number} */ priority,
  ) => column(lines, head, ({ row }) => (row ? text(row) : ''), { priority });
  return [
    ...latencyColumns(lines, columns.latency, laid, words),
    rateColumn(lines, words, 0),
    figure(columns.peak, ({ of }) => peakText(of, words), 7),
    figure(columns.requests, ({ summary }) => count(summary.requests), 8),
    figure(columns.read, ({ summary }) => (summary.bytes === undefined ? '' : megabytes(summary.bytes)), 9),
    errorsColumn(lines, words),
    ...FIGURES.flatMap((figure) => figureColumn(lines, figure, words)),
  ];
}

/** @param {Line[]} lines @param {Words} words @param {number} priority @returns {Column} */
function rateColumn(lines, { columns, rate }, priority) {
  return column(
    lines,
    columns.rate,
    ({ row }) => {
      if (!row) return '';
      const { throughput, throughputStdev } = row.summary;
      return rate(throughput) + (throughputStdev === undefined ? '' : ` ± ${rate(throughputStdev)}`);
    },
    { priority },
  );
}

/** @param {Line[]} lines @param {Words} words @returns {Column} */
function errorsColumn(lines, words) {
  return column(
    lines,
    words.columns.errors,
    ({ of, failed }) => (failed ? failureText(of, words) : errorsText(of, words)),
    { priority: 1 },
  );
}

/**
 * @param {Line[]} lines
 * @param {Figure} figure
 * @param {Words} words
 * @returns {Column[]} the mean over boots
 */
function figureColumn(lines, { id, column: head, unit }, words) {
  if (head === undefined) return [];
  /** @param {Line} line */
  const text = ({ of }) => {
    const boots = of.trials.filter(({ failure, windows }) => !failure && windows.length > 0);
    const values = boots.flatMap((boot) => figureIn(id, boot.windows) ?? []);
    const isWhole = values.length > 0 && values.length === boots.length;
    return isWhole ? figureOf(unit, mean(values) ?? 0, words) : '';
  };
  return [column(lines, head, text, { priority: 4 })];
}

/** @param {Line[]} lines @param {Table} laid @param {Words} words @returns {Column[]} */
function ratioColumns(lines, { reference, yardstick }, { columns, portion, multiple }) {
  const bounded = (/** @type {Ratio} */ { bound }, /** @type {string} */ text) =>
    bound ? `${bound === 'at least' ? '≥' : '≤'} ${text}` : text;
  return [
    column(
      lines,
      columns.of(plain(reference?.serverName ?? '', 60)),
      ({ of, row }) => (row?.share && of !== reference ? bounded(row.share, portion(row.share.value)) : ''),
      { priority: 7 },
    ),
    column(
      lines,
      columns.ratio,
      ({ row }) =>
        row?.ratio
          ? bounded(row.ratio, `${multiple(row.ratio.value)} ${plain(yardstick?.serverName ?? '', 60)}`)
          : '',
      { priority: 5 },
    ),
  ];
}

/**
 * @param {Line[]} lines
 * @param {Partial<Record<keyof LatencyMs, string>>} headings
 * @param {Table} laid
 * @param {Words} words
 * @returns {Column[]} at one rate, what the latencies are at
 */
function latencyColumns(lines, headings, { rows }, { milliseconds, atRate }) {
  const rates = new Set(rows.map(({ of }) => of.load?.rate));
  const [rate] = rates.size === 1 ? rates : [];
  return Object.entries(headings).map(([name, heading]) =>
    column(
      lines,
      rate !== undefined && name === RATED ? atRate(heading, rate) : heading,
      ({ row }) => {
        const value = row?.summary.latencyMs?.[/** @type {keyof LatencyMs} */ (name)];
        return value === undefined ? '' : milliseconds(value);
      },
      { priority: LATENCY_PRIORITY[name] ?? 10 },
    ),
  );
}

/** @param {RunCase} of @param {Words} words */
function peakText({ trials }, { rate }) {
  const windows = trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
  const peaks = windows.flatMap(({ peakRequestsPerSecond }) => peakRequestsPerSecond ?? []);
  return peaks.length > 0 ? rate(Math.max(...peaks)) : '';
}

/** @param {RunCase} of @param {Words} words */
function errorsText({ trials, summary }, words) {
  const failed = sum(trials, ({ failure }) => (failure ? 1 : 0));
  const starts = failed > 0 ? words.tables.bootsFailed(failed, trials.length) : '';
  return [plain(errorText(summary?.errors, words)), starts].filter(Boolean).join(', ');
}

/** @param {RunCase} of @param {Words} words */
function failureText(of, { tables }) {
  return (
    failuresOf(of)
      .map(({ kind }) => plain(kind))
      .join('; ') || tables.notMeasured
  );
}

/**
 * @param {Partial<Errors> | undefined} errors
 * @param {Words} words
 * @returns {string} "0", or "3 timeouts, 2 non-2xx"; empty where nobody counted
 */
export function errorText(errors, words) {
  const counted = Object.entries(errors ?? {});
  if (counted.length === 0) return '';
  const told = counted.flatMap(([kind, number]) => (number === 0 ? [] : words.tables.error(kind, number)));
  return words.list(told) || '0';
}
