/**
 * What the tables and charts show, before it is written as Markdown, HTML or plain text.
 * @import { Comparison, Errors, MetricComparison, Run, RunCase, Summary } from '../types.js'
 */

import { decisiveOf } from './change.js';
import { count } from './format.js';

/**
 * A figure the client limited is a bound of the server's own, and so is a ratio made of it.
 * @typedef {{ value: number, bound?: 'at least' | 'at most' }} Ratio
 * A case and how it stands to the others. change: of the metric that decided its verdict.
 * @typedef {{ of: RunCase, summary: Summary, share?: Ratio, ratio?: Ratio, change?: MetricComparison | undefined }} Row
 * rows: ranked first, then those whose client was the bottleneck, the reference arm last. failed: cases without a figure.
 * @typedef {{ title: string, rows: Row[], failed: RunCase[], reference?: RunCase, yardstick?: RunCase }} Table
 */

/**
 * One table a load and route; of the reference alone, last.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @returns {Table[]}
 */
export function tablesOf(run, comparison) {
  /** @type {Map<string, RunCase[]>} */
  const groups = new Map();
  for (const of of run.cases) groups.set(groupOf(of), [...(groups.get(groupOf(of)) ?? []), of]);
  const isGauge = (/** @type {RunCase[]} */ cases) => cases.every(({ reference }) => reference);
  return [...groups]
    .toSorted(([, a], [, b]) => Number(isGauge(a)) - Number(isGauge(b)))
    .map(([title, cases]) => tableOf(title, cases, { run, comparison }));
}

/** @param {RunCase} of */
function groupOf({ route, load }) {
  return [route, loadText(load ?? {})].filter(Boolean).join(', ');
}

/**
 * Run files of other programs may tell less of the load.
 * @param {Partial<RunCase['load']>} load
 * @returns {string} what tells it from others: "autocannon, 100 connections, pipelining 4"
 */
export function loadText({ tool, connections, pipelining = 1, keepAlive, rate, threads = 1 }) {
  return [
    tool,
    connections && `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    pipelining > 1 && `pipelining ${pipelining}`,
    keepAlive === false && 'no keep-alive',
    rate && `${rate} requests a second`,
    threads > 1 && `${threads} threads`,
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * @param {string} title
 * @param {RunCase[]} cases
 * @param {{ run: Run, comparison: Comparison | undefined }} context
 * @returns {Table}
 */
function tableOf(title, cases, { run, comparison }) {
  const reference = cases.find((of) => of.reference && of.summary);
  const yardstick = cases.find(({ server, summary }) => server === run.relativeTo && summary);
  const rows = cases.flatMap((of) => {
    const { summary } = of;
    if (!summary) return [];
    const share = ratioOf(summary, reference?.summary);
    const ratio = ratioOf(summary, yardstick?.summary);
    const compared = comparison?.cases.find(({ id }) => id === of.id);
    const change = compared && decisiveOf(compared);
    return [{ of, summary, ...(share && { share }), ...(ratio && { ratio }), change }];
  });
  return {
    title,
    rows: rows.toSorted((a, b) => place(a) - place(b) || b.summary.throughput - a.summary.throughput),
    failed: cases.filter(({ summary }) => !summary),
    ...(reference && { reference }),
    ...(yardstick && { yardstick }),
  };
}

/**
 * @param {Summary} summary
 * @param {Summary | undefined} to
 * @returns {Ratio | undefined} undefined where nothing can be said
 */
function ratioOf(summary, to) {
  if (!to || !(to.throughput > 0)) return undefined;
  if (summary === to) return { value: 1 };
  if (summary.clientBound && to.clientBound) return undefined;
  const value = summary.throughput / to.throughput;
  if (summary.clientBound) return { value, bound: 'at least' };
  return to.clientBound ? { value, bound: 'at most' } : { value };
}

/**
 * A figure that the client limited says nothing of the server and is not ranked.
 * @param {Row} row
 */
function place({ of, summary }) {
  return of.reference ? 2 : summary.clientBound ? 1 : 0;
}

/**
 * @param {Partial<Errors> | undefined} errors
 * @returns {string} "0", or "3 timeouts, 2 non-2xx"; empty where nobody counted
 */
export function errorText(errors) {
  const counted = Object.entries(errors ?? {});
  if (counted.length === 0) return '';
  /** @type {Record<string, string>} */
  const words = { timeouts: 'timeout', non2xx: 'non-2xx' };
  const told = counted.flatMap(([kind, number]) => {
    const word = `${words[kind] ?? kind}${kind === 'timeouts' && number !== 1 ? 's' : ''}`;
    return number === 0 ? [] : [`${count(number)} ${word}`];
  });
  return told.join(', ') || '0';
}

/**
 * @param {Run} run
 * @param {string} id a case's
 * @returns {string} the server's name where it tells the case apart, the case's id where not
 */
export function nameOf({ cases }, id) {
  const of = cases.find((each) => each.id === id);
  const alike = cases.filter(({ serverName }) => serverName === of?.serverName);
  return of && alike.length === 1 ? of.serverName : id;
}
