/**
 * What a comparison found: what changed or stays open in a line each, and everything as a table.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import { METRICS } from '../judge/metrics.js';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';
import { renderFloor } from './floor.js';
import { count, megabytes, microseconds, milliseconds, portion, rate } from './format.js';
import { changeText, verdictText } from './tables.js';

/** A longer list is no summary; the table has the rest. */
const OPEN_LINES = 8;

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string[]} what changed, then what is open, a line each; of a server against itself the noise floor
 */
export function renderChanges(run, comparison) {
  const { cases, method, against } = comparison;
  if (against === 'same') return renderFloor(run, comparison);
  const changed = cases.flatMap((of) =>
    changesOf(of, method).map((text) => `- **${told(run, of)}**: ${text}`),
  );
  /** @type {Map<string, string[]>} */
  const open = new Map();
  for (const of of cases.filter(({ verdict, only }) => verdict === 'unsure' && !only)) {
    const text = openText(of);
    open.set(text, [...(open.get(text) ?? []), `**${told(run, of)}**`]);
  }
  const lines = [...open].map(([text, names]) => `- ${names.join(', ')}: ${text}`);
  const more = lines.length - OPEN_LINES;
  return [
    ...changed,
    ...lines.slice(0, OPEN_LINES),
    ...(more > 0 ? [`- and ${more} more that are unsure`] : []),
  ];
}

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string | undefined} every metric of every case; undefined where there is none
 */
export function renderCompared(run, { cases, against }) {
  const rows = cases.flatMap((of) =>
    of.metrics.map((change) => [
      told(run, of),
      labelOf(change),
      change.base === undefined ? '' : valueText(change, change.base),
      change.head === undefined ? '' : valueText(change, change.head),
      changeText(change),
      verdictText(change, against),
      escaped(change.why),
    ]),
  );
  if (rows.length === 0) return undefined;
  const sides = against === 'same' ? ['One side', 'The other'] : ['Base', 'Head'];
  const heading = ['Server', 'Metric', ...sides, 'Δ', 'Verdict', 'Why'];
  return markdownTable([heading, ...rows], { align: ['l', 'l', 'r', 'r', 'r', 'l', 'l'] });
}

/**
 * @param {CaseComparison} of
 * @param {Comparison['method']} method
 */
function changesOf({ metrics, only }, method) {
  if (only) return [`only in the ${only}, nothing to compare with`];
  return metrics
    .filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved' || verdict === 'failed')
    .map((change) => {
      const { verdict, base, head, why } = change;
      // Another machine's figures are no step on the way to this one's.
      const steps = method !== 'through-reference' && base !== undefined && head !== undefined;
      const path = steps ? `, ${valueText(change, base)} → ${valueText(change, head)}` : '';
      return `${labelOf(change)} ${verdict}: ${changeText(change) || escaped(why)}${path}`;
    });
}

/** @param {CaseComparison} of */
function openText({ metrics }) {
  const open = metrics.filter(({ verdict }) => verdict === 'unsure');
  const carrier = open.find(({ metric }) => metric === 'throughput') ?? open[0];
  if (!carrier) return 'unsure';
  const change = changeText(carrier);
  return `${labelOf(carrier)} unsure: ${change ? `${change}, ` : ''}${escaped(carrier.why)}`;
}

/** @param {MetricComparison} change */
function labelOf({ metric: id }) {
  return METRICS.find((metric) => metric.id === id)?.label ?? escaped(id);
}

/**
 * @param {MetricComparison} change
 * @param {number} value in the metric's unit
 */
function valueText({ metric: id }, value) {
  /** @type {Record<string, (value: number) => string>} */
  const units = {
    'req/s': (number) => `${rate(number)} req/s`,
    µs: (number) => `${microseconds(number)} µs`,
    ms: (number) => `${milliseconds(number)} ms`,
    bytes: (number) => `${megabytes(number)} MB`,
    'share of requests': portion,
  };
  const unit = METRICS.find((metric) => metric.id === id)?.unit ?? '';
  return (units[unit] ?? count)(value);
}

/**
 * @param {Run} run
 * @param {CaseComparison} of
 */
function told(run, { id }) {
  return escaped(nameOf(run, id), 200);
}
