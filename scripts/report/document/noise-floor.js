/**
 * A server measured against itself: no side of it is the better one, and what differs is noise.
 * @import { Comparison, MetricComparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { POWER } from '../../judge/power.js';
import { LEADING, METRICS } from '../../samples/figures.js';
import { isTooWide } from '../text/format.js';
import { nameOf } from '../text/names.js';
import { column, names, table, text } from './blocks.js';

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {Block[]} a table, and what it means
 */
export function floorBlocks(run, { cases }, words) {
  const rows = cases.filter(({ only, metrics }) => !only && metrics.some(({ ciPct }) => ciPct));
  if (rows.length === 0) return [];
  const halfText = (/** @type {[number, number]} */ [low, high]) => words.unsigned((high - low) / 2);
  const ofMetric = (/** @type {string} */ id, /** @type {(ciPct: [number, number]) => string} */ told) => {
    return (/** @type {{ metrics: MetricComparison[] }} */ { metrics }) => {
      const ciPct = metrics.find(({ metric }) => metric === id)?.ciPct;
      if (!ciPct) return '';
      return isTooWide(ciPct) ? words.change.inconclusive : told(ciPct);
    };
  };
  return [
    table([
      names(rows, words.columns.server, ({ id }) => nameOf(run, id, words)),
      column(rows, `Δ ${LEADING.short}`, ofMetric(LEADING.id, words.interval)),
      ...METRICS.flatMap(({ id, short }) =>
        short ? column(rows, `± ${short}`, ofMetric(id, halfText)) : [],
      ),
      column(rows, words.columns.wouldFind, ({ findsPct }) =>
        findsPct === undefined ? '' : words.unsigned(findsPct),
      ),
    ]),
    text(words.tables.floor(POWER)),
  ];
}
