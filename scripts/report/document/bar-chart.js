/**
 * Throughput as bars, where one table has servers beside each other: several charts would fill a screen.
 * @import { Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { ChartBlock } from './blocks.js'
 */

import { plain } from '../text/inline.js';
import { tablesOf } from './table-rows.js';

/**
 * A client's limit is no figure of the server and has no bar.
 * @param {Run} run
 * @param {number} most bars
 * @param {Words} words
 * @returns {ChartBlock | undefined} the longest bar first
 */
export function barChart(run, most, words) {
  const charts = tablesOf(run, undefined, words).flatMap(({ title, rows, routes }) => {
    const bars = rows
      .filter(({ summary }) => !summary.clientBound && Number.isFinite(summary.throughput))
      .map(({ of, summary, load }) => ({
        label: plain(load || (routes ? `${of.serverName} ${of.route}` : of.serverName), 40),
        value: summary.throughput,
      }))
      .toSorted((a, b) => b.value - a.value);
    return bars.length < 2 ? [] : [{ title: words.tables.chart(plain(title, 80)), bars }];
  });
  const [chart, ...more] = charts;
  return chart && more.length === 0 && chart.bars.length <= most ? { kind: 'chart', ...chart } : undefined;
}
