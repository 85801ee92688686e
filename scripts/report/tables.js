/**
 * The tables of this field as Markdown, readable in a terminal too.
 * @import { Comparison, Run } from '../types.js'
 * @import { Row, Table } from './facts.js'
 */

import { markdownTable } from 'markdown-table';
import { errorText, tablesOf } from './facts.js';
import { count, escaped, interval, megabytes, milliseconds, percent, rate, times } from './format.js';

/** A column: its heading and its text in a row; empty where it was not measured. @typedef {[string, (row: Row) => string]} Column */

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison | undefined }} options
 * @returns {string[]} a heading and its table each
 */
export function renderTables(run, { comparison }) {
  return tablesOf(run, comparison).map(
    (table) => `${heading(table)}\n\n${renderTable(table, fullColumns(table))}`,
  );
}

/**
 * The few columns a pull request wants.
 * @param {Run} run
 * @param {{ comparison?: Comparison | undefined }} options
 * @returns {string[]}
 */
export function renderShortTables(run, { comparison }) {
  return tablesOf(run, comparison).map(
    (table) => `${heading(table)}\n\n${renderTable(table, shortColumns(table))}`,
  );
}

/** @param {Table} table */
function heading({ title }) {
  return `**${escaped(title)}**`;
}

/**
 * @param {Table} table
 * @param {Column[]} columns columns that are empty in every row are left out
 */
function renderTable({ rows }, columns) {
  const [server, ...figures] = columns.filter(([, text]) => rows.some((row) => text(row) !== ''));
  if (!server) return 'Nothing was measured.';
  const kept = [server, ...figures];
  const cells = [kept.map(([name]) => name), ...rows.map((row) => kept.map(([, text]) => text(row)))];
  return markdownTable(cells, { align: kept.map((_, index) => (index === 0 ? 'l' : 'r')) });
}

/** @param {Table} table @returns {Column[]} */
function fullColumns(table) {
  return [
    ['Server', nameOf],
    ...latencyColumns(),
    ['Req/s', throughput],
    ...changeColumns(),
    ['Requests', ({ summary }) => count(summary.requests)],
    ['MB read', ({ summary }) => (summary.bytes === undefined ? '' : megabytes(summary.bytes))],
    ['Errors', ({ summary }) => errorText(summary.errors)],
    [
      'CPU µs/req',
      ({ summary }) => (summary.cpuPerRequestUs === undefined ? '' : summary.cpuPerRequestUs.toFixed(1)),
    ],
    ['Memory MB', ({ summary }) => (summary.rssBytes === undefined ? '' : megabytes(summary.rssBytes))],
    ...ratioColumns(table),
  ];
}

/** @param {Table} table @returns {Column[]} */
function shortColumns(table) {
  return [
    ['Server', nameOf],
    ['Req/s', throughput],
    ...changeColumns(),
    ['p50 ms', latency('p50')],
    ['p99 ms', latency('p99')],
    ['Errors', ({ summary }) => errorText(summary.errors)],
    ...ratioColumns(table),
  ];
}

/** @returns {Column[]} */
function latencyColumns() {
  return [
    ['Avg ms', latency('avg')],
    ['p50', latency('p50')],
    ['p97.5', latency('p97_5')],
    ['p99', latency('p99')],
    ['Max', latency('max')],
  ];
}

/** @returns {Column[]} */
function changeColumns() {
  return [
    ['Δ req/s', ({ change }) => (change ? changeText(change) : '')],
    ['Verdict', ({ change }) => change?.verdict ?? ''],
  ];
}

/** @param {Table} table @returns {Column[]} */
function ratioColumns({ reference, yardstick }) {
  return [
    [
      `of ${escaped(reference?.serverName ?? '')}`,
      ({ share }) => (share === undefined ? '' : `${(share * 100).toFixed(0)} %`),
    ],
    [`vs ${escaped(yardstick?.serverName ?? '')}`, ({ ratio }) => (ratio === undefined ? '' : times(ratio))],
  ];
}

/**
 * A change that may be none has an interval, and no figure of its own that would be quoted.
 * @param {import('../types.js').MetricComparison} change
 */
export function changeText({ effectPct, ciPct, verdict }) {
  if (effectPct === undefined || !ciPct) return '';
  const certain = verdict === 'regressed' || verdict === 'improved';
  return certain ? `${percent(effectPct)} (${interval(ciPct)})` : `~ (${interval(ciPct)})`;
}

/** @param {Row} row */
function nameOf({ of, summary }) {
  const name = of.reference ? `${escaped(of.serverName)} (reference)` : escaped(of.serverName);
  return summary.clientBound ? `${name} †` : name;
}

/** @param {Row} row */
function throughput({ summary }) {
  const spread = summary.throughputStdev === undefined ? '' : ` ± ${rate(summary.throughputStdev)}`;
  return rate(summary.throughput) + spread;
}

/** @param {keyof import('../types.js').LatencyMs} name @returns {Column[1]} */
function latency(name) {
  return ({ summary }) => {
    const value = summary.latencyMs?.[name];
    return value === undefined ? '' : milliseconds(value);
  };
}
