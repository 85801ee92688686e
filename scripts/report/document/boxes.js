/**
 * The full box of one case, with the rows and columns autocannon's users know.
 * @import { LatencyMs, PerSecond, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { markdownTable } from 'markdown-table';

/**
 * @param {RunCase} of
 * @param {Words} words
 * @returns {string | undefined} undefined where neither latency nor a per-second spread was measured
 */
export function renderBox({ summary }, words) {
  if (!summary) return undefined;
  const { latencyMs, requestsPerSecond, bytesPerSecond } = summary;
  const parts = [
    latencyMs && latencyTable(latencyMs, words),
    // One sample has no spread.
    requestsPerSecond &&
      requestsPerSecond.stdev > 0 &&
      perSecondTable({ requests: requestsPerSecond, bytes: bytesPerSecond }, words),
    words.tables.total(
      summary.requests,
      summary.bytes === undefined ? undefined : words.megabytes(summary.bytes),
      summary.trials,
    ),
  ];
  return parts.filter(Boolean).join('\n\n');
}

/**
 * @param {LatencyMs} latency
 * @param {Words} words
 */
function latencyTable(latency, { milliseconds, tables: { box } }) {
  const columns = /** @type {const} */ ([
    ['2.5%', 'p2_5'],
    ['50%', 'p50'],
    ['97.5%', 'p97_5'],
    ['99%', 'p99'],
    [box.avg, 'avg'],
    [box.stdev, 'stdev'],
    [box.max, 'max'],
  ]);
  const known = columns.filter(([, name]) => latency[name] !== undefined);
  return table([
    [box.stat, ...known.map(([heading]) => heading)],
    [box.latency, ...known.map(([, name]) => milliseconds(latency[name] ?? 0))],
  ]);
}

/**
 * @param {{ requests: PerSecond, bytes: PerSecond | undefined }} perSecond
 * @param {Words} words
 */
function perSecondTable({ requests, bytes }, { rate, megabytes, columns, tables: { box } }) {
  const names = /** @type {const} */ (['p1', 'p2_5', 'p50', 'p97_5', 'avg', 'stdev', 'min']);
  return table([
    [box.stat, '1%', '2.5%', '50%', '97.5%', box.avg, box.stdev, box.min],
    [columns.rate, ...names.map((name) => rate(requests[name]))],
    ...(bytes ? [['MB/s', ...names.map((name) => megabytes(bytes[name]))]] : []),
  ]);
}

/** @param {string[][]} rows */
function table(rows) {
  return markdownTable(rows, { align: rows[0]?.map((_, index) => (index === 0 ? 'l' : 'r')) ?? [] });
}
