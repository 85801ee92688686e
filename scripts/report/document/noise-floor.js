/**
 * A server measured against itself: no side of it is the better one, and what differs is noise.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { markdownTable } from 'markdown-table';
import { LEADING, METRICS } from '../../samples/figures.js';
import { POWER } from '../../judge/power.js';
import { escaped } from '../render/escape.js';
import { nameOf } from './table-rows.js';
import { isTooWide } from '../text/format.js';

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {string[]} lines: a table, and what it means
 */
export function renderFloor(run, { cases }, words) {
  const compared = cases.filter(({ only, metrics }) => !only && metrics.some(({ ciPct }) => ciPct));
  if (compared.length === 0) return [];
  const shown = METRICS.filter(({ short }) => short);
  const halfText = (/** @type {[number, number]} */ [low, high]) => words.unsigned((high - low) / 2);
  const rows = compared.map((of) => [
    escaped(nameOf(run, of.id, words), 200),
    boundedText(metricOf(of, LEADING.id), words.interval, words),
    ...shown.map(({ id }) => boundedText(metricOf(of, id), halfText, words)),
    of.findsPct === undefined ? '' : words.unsigned(of.findsPct),
  ]);
  const heading = [
    words.columns.server,
    `Δ ${LEADING.short}`,
    ...shown.map(({ short }) => `± ${short}`),
    words.columns.wouldFind,
  ];
  return [
    markdownTable([heading, ...rows], { align: heading.map((_, index) => (index === 0 ? 'l' : 'r')) }),
    '',
    words.tables.floor(POWER),
  ];
}

/**
 * @param {CaseComparison} of
 * @param {string} id
 */
function metricOf({ metrics }, id) {
  return metrics.find(({ metric }) => metric === id);
}

/**
 * @param {MetricComparison | undefined} change
 * @param {(ciPct: [number, number]) => string} text
 * @param {Words} words
 */
function boundedText(change, text, words) {
  if (!change?.ciPct) return '';
  return isTooWide(change.ciPct) ? words.change.untold : text(change.ciPct);
}
