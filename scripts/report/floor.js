/**
 * A server measured against itself: no side of it is the better one, and what differs is noise.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import { POWER } from '../judge/power.js';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';
import { interval, unsigned } from './format.js';

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string[]} lines: a table, and what it means
 */
export function renderFloor(run, { cases }) {
  const compared = cases.filter(({ only, metrics }) => !only && metrics.some(({ ciPct }) => ciPct));
  if (compared.length === 0) return [];
  const rows = compared.map((of) => [
    escaped(nameOf(run, of.id), 200),
    differenceText(metricOf(of, 'throughput')),
    ...['throughput', 'cpuPerRequest', 'p99'].map((id) => halfText(metricOf(of, id))),
    of.findsPct === undefined ? '' : unsigned(of.findsPct),
  ]);
  const heading = ['Server', 'Δ req/s', '± req/s', '± CPU/req', '± p99', 'Would find'];
  return [
    markdownTable([heading, ...rows], { align: ['l', 'r', 'r', 'r', 'r', 'r'] }),
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

/** @param {MetricComparison | undefined} change */
function differenceText(change) {
  return change?.ciPct ? interval(change.ciPct) : '';
}

/** @param {MetricComparison | undefined} change */
function halfText(change) {
  return change?.ciPct ? unsigned((change.ciPct[1] - change.ciPct[0]) / 2) : '';
}
