/**
 * All statistics of one case, with the rows and columns that autocannon's users know.
 * @import { LatencyMs, PerSecond, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { ifKnown } from '../text/format.js';
import { column, names, table, text } from './blocks.js';

const PERCENTILES = { p1: '1%', p2_5: '2.5%', p50: '50%', p97_5: '97.5%', p99: '99%' };
/** @type {(keyof LatencyMs & keyof (typeof PERCENTILES & Words['tables']['box']))[]} */
const OF_LATENCY = ['p2_5', 'p50', 'p97_5', 'p99', 'avg', 'stdev', 'max'];
/** @type {Exclude<keyof PerSecond, 'max'>[]} */
const OF_RATE = ['p1', 'p2_5', 'p50', 'p97_5', 'avg', 'stdev', 'min'];

/** Draws none where the case has no figures. @type {(runCase: RunCase, words: Words) => Block[]} */
export function boxBlocks({ summary }, { rate, milliseconds, megabytes, columns, tables }) {
  if (!summary) return [];
  const { latencyMs, requestsPerSecond, bytesPerSecond, requests, bytes, trials } = summary;
  const { box } = tables;
  const heads = { ...PERCENTILES, ...box };
  /** @type {Block[]} */
  const blocks = [];
  if (latencyMs) {
    const rows = [latencyMs];
    const figures = OF_LATENCY.map((name) =>
      column(rows, heads[name], (row) => ifKnown(row[name], milliseconds)),
    );
    blocks.push(table([names(rows, box.stat, () => box.latency), ...figures]));
  }
  // One sample has no spread.
  if (requestsPerSecond && requestsPerSecond.stdev > 0) {
    const rows = [
      { name: columns.rate, spread: requestsPerSecond, format: rate },
      ...(bytesPerSecond ? [{ name: 'MB/s', spread: bytesPerSecond, format: megabytes }] : []),
    ];
    const figures = OF_RATE.map((name) =>
      column(rows, heads[name], ({ spread, format }) => format(spread[name])),
    );
    blocks.push(table([names(rows, box.stat, ({ name }) => name), ...figures]));
  }
  return [...blocks, text(tables.total(requests, ifKnown(bytes, megabytes) || undefined, trials))];
}
