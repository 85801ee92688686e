/**
 * The full box of one case, with the rows and columns autocannon's users know.
 * @import { LatencyMs, PerSecond, RunCase } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import { count, megabytes, milliseconds, rate } from './format.js';

/**
 * @param {RunCase} of
 * @returns {string | undefined} undefined where neither latency nor a per-second spread was measured
 */
export function renderBox({ summary }) {
  if (!summary) return undefined;
  const { latencyMs, requestsPerSecond, bytesPerSecond } = summary;
  const parts = [
    latencyMs && latencyTable(latencyMs),
    requestsPerSecond && perSecondTable(requestsPerSecond, bytesPerSecond),
    `${count(summary.requests)} requests${summary.bytes === undefined ? '' : `, ${megabytes(summary.bytes)} MB read`} in ${count(summary.trials)} boot${summary.trials === 1 ? '' : 's'}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** @param {LatencyMs} latency */
function latencyTable(latency) {
  const columns = /** @type {const} */ ([
    ['2.5%', 'p2_5'],
    ['50%', 'p50'],
    ['97.5%', 'p97_5'],
    ['99%', 'p99'],
    ['Avg', 'avg'],
    ['Stdev', 'stdev'],
    ['Max', 'max'],
  ]);
  const known = columns.filter(([, name]) => latency[name] !== undefined);
  return table([
    ['Stat', ...known.map(([heading]) => heading)],
    ['Latency ms', ...known.map(([, name]) => milliseconds(latency[name] ?? 0))],
  ]);
}

/**
 * @param {PerSecond} requests
 * @param {PerSecond | undefined} bytes
 */
function perSecondTable(requests, bytes) {
  const names = /** @type {const} */ (['p1', 'p2_5', 'p50', 'p97_5', 'avg', 'stdev', 'min']);
  return table([
    ['Stat', '1%', '2.5%', '50%', '97.5%', 'Avg', 'Stdev', 'Min'],
    ['Req/s', ...names.map((name) => rate(requests[name]))],
    ...(bytes ? [['MB/s', ...names.map((name) => megabytes(bytes[name]))]] : []),
  ]);
}

/** @param {string[][]} rows */
function table(rows) {
  return markdownTable(rows, { align: rows[0]?.map((_, index) => (index === 0 ? 'l' : 'r')) ?? [] });
}
