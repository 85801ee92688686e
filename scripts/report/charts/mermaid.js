/**
 * Throughput as bars: which bars there are, and how Mermaid, which GitHub draws, is told of them.
 * @import { Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { clipped } from '../render/escape.js';
import { tablesOf } from '../document/table-rows.js';

/** @typedef {{ title: string, bars: { label: string, value: number }[] }} Chart value: requests a second */

/**
 * A client's limit is no figure of the server and has no bar.
 * @param {Run} run
 * @param {Words} words
 * @returns {Chart[]} one a table with something to set side by side, the longest bar first
 */
export function chartsOf(run, words) {
  return tablesOf(run, undefined, words).flatMap(({ title, rows, routes }) => {
    const bars = rows
      .filter(({ summary }) => !summary.clientBound && Number.isFinite(summary.throughput))
      .map(({ of, summary, load }) => ({
        label: clipped(load || (routes ? `${of.serverName} ${of.route}` : of.serverName), 40),
        value: summary.throughput,
      }))
      .toSorted((a, b) => b.value - a.value);
    return bars.length < 2 ? [] : [{ title, bars }];
  });
}

/**
 * @param {Chart} chart
 * @param {Words} words
 * @returns {string}
 */
export function renderMermaid({ title, bars }, words) {
  const values = bars.map(({ value }) => Number(value.toPrecision(4)));
  return [
    '```mermaid',
    'xychart-beta horizontal',
    `  title ${quoted(words.tables.chart(clipped(title, 80)))}`,
    `  x-axis [${bars.map(({ label }, index) => quoted(label || `${index + 1}`)).join(', ')}]`,
    `  y-axis 0 --> ${Math.ceil(Math.max(1, ...values) * 1.05)}`,
    `  bar [${values.join(', ')}]`,
    '```',
  ].join('\n');
}

/**
 * Letters and digits of any language, and the marks that no grammar of Mermaid's takes for its own.
 * @param {string} text
 */
function quoted(text) {
  const kept = text.replace(/[^\p{L}\p{N} .,:()/_-]/gu, '');
  return `"${kept.replace(/ +/g, ' ').trim() || '-'}"`;
}
