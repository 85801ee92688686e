/**
 * A server measured against itself: no side of it is the better one, and what differs is noise.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import { LEADING, METRICS } from '../metrics.js';
import { POWER } from '../judge/power.js';
import { UNTOLD } from './change.js';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';
import { interval, isTooWide, unsigned } from './format.js';

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string[]} lines: a table, and what it means
 */
export function renderFloor(run, { cases }) {
  const compared = cases.filter(({ only, metrics }) => !only && metrics.some(({ ciPct }) => ciPct));
  if (compared.length === 0) return [];
  const shown = METRICS.filter(({ short }) => short);
  const rows = compared.map((of) => [
    escaped(nameOf(run, of.id), 200),
    boundedText(metricOf(of, LEADING.id), interval),
    ...shown.map(({ id }) => boundedText(metricOf(of, id), halfText)),
    of.findsPct === undefined ? '' : unsigned(of.findsPct),
  ]);
  const heading = ['Server', `Δ ${LEADING.short}`, ...shown.map(({ short }) => `± ${short}`), 'Would find'];
  return [
    markdownTable([heading, ...rows], { align: heading.map((_, index) => (index === 0 ? 'l' : 'r')) }),
    '',
    `±, half the interval, is the noise floor: a smaller change hides in it. Would find: the slowdown that as many boots find in ${Math.round(100 * POWER)} of 100 runs.`,
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
 */
function boundedText(change, text) {
  if (!change?.ciPct) return '';
  return isTooWide(change.ciPct) ? UNTOLD : text(change.ciPct);
}

/** @param {[number, number]} ciPct */
function halfText([low, high]) {
  return unsigned((high - low) / 2);
}
