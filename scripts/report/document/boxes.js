/**
 * All statistics of one case, with the rows and columns that autocannon's users know.
 * @import { LatencyMs, PerSecond, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, TableBlock } from './blocks.js'
 */

import { column, names, table, text } from './blocks.js';

/** @param {RunCase} measured @param {Words} words @returns {Block[]} none where the case has no figures */
export function boxBlocks({ summary }, words) {
  if (!summary) return [];
  const { latencyMs, requestsPerSecond, bytesPerSecond, requests, bytes, trials } = summary;
  const megabytes = bytes === undefined ? undefined : words.megabytes(bytes);
  return [
    ...(latencyMs ? [latencyTable(latencyMs, words)] : []),
    // One sample has no spread.
    ...(requestsPerSecond && requestsPerSecond.stdev > 0
      ? [perSecondTable(requestsPerSecond, bytesPerSecond, words)]
      : []),
    text(words.tables.total(requests, megabytes, trials)),
  ];
}

/** @param {LatencyMs} latency @param {Words} words @returns {TableBlock} */
function latencyTable(latency, { milliseconds, tables: { box } }) {
  /** @type {[string, keyof LatencyMs][]} */
  const columns = [
    ['2.5%', 'p2_5'],
    ['50%', 'p50'],
    ['97.5%', 'p97_5'],
    ['99%', 'p99'],
    [box.avg, 'avg'],
    [box.stdev, 'stdev'],
    [box.max, 'max'],
  ];
  return table([
    names([latency], box.stat, () => box.latency),
    ...columns.map(([head, name]) =>
      column([latency], head, ({ [name]: ms }) => (ms === undefined ? '' : milliseconds(ms))),
    ),
  ]);
}

/**
 * @param {PerSecond} requests
 * @param {PerSecond | undefined} bytes
 * @param {Words} words
 * @returns {TableBlock}
 */
function perSecondTable(requests, bytes, { rate, megabytes, columns, tables: { box } }) {
  /** @type {[string, Exclude<keyof PerSecond, 'max'>][]} */
  const figures = [
    ['1%', 'p1'],
    ['2.5%', 'p2_5'],
    ['50%', 'p50'],
    ['97.5%', 'p97_5'],
    [box.avg, 'avg'],
    [box.stdev, 'stdev'],
    [box.min, 'min'],
  ];
  const rows = [
    { name: columns.rate, spread: requests, text: rate },
    ...(bytes ? [{ name: 'MB/s', spread: bytes, text: megabytes }] : []),
  ];
  return table([
    names(rows, box.stat, ({ name }) => name),
    ...figures.map(([head, name]) => column(rows, head, ({ spread, text: format }) => format(spread[name]))),
  ]);
}
