/**
 * How a metric changed, in words: which one decided, its label, its sizes, its interval, its verdict.
 * @import { CaseComparison, Comparison, MetricComparison } from '../types.js'
 */

import { METRICS, SPEEDS } from '../metrics.js';
import { escaped } from './escape.js';
import {
  count,
  interval,
  isTooWide,
  megabytes,
  microseconds,
  milliseconds,
  percent,
  portion,
  rate,
} from './format.js';

/** What stands for an interval that tells nothing. */
export const UNTOLD = 'cannot be told';

/** By a metric's unit: the figure, and what follows it. @type {Record<string, [(value: number) => string, string]>} */
const UNITS = {
  'req/s': [rate, ' req/s'],
  µs: [microseconds, ' µs'],
  ms: [milliseconds, ' ms'],
  bytes: [megabytes, ' MB'],
  'share of requests': [portion, ''],
};

/**
 * @param {CaseComparison} of
 * @param {Pick<Comparison, 'warnings'>} comparison
 * @returns {MetricComparison | undefined} the first that has the case's own verdict, of those that count for it; the
 *   sharpest open one of speed where others used the machine
 */
export function decisiveOf({ id: of, verdict, metrics }, { warnings }) {
  const counted = METRICS.filter(({ gate }) => gate).flatMap(({ id }) =>
    metrics.filter(({ metric }) => metric === id),
  );
  const fitting = counted.filter((change) => change.verdict === verdict);
  const disturbed = warnings.some((warning) => warning.code === 'disturbed' && warning.case === of);
  const carrier = SPEEDS.flatMap(({ id }) => fitting.filter(({ metric }) => metric === id))[0];
  if (disturbed && verdict === 'unsure' && carrier) return carrier;
  return fitting[0] ?? counted[0] ?? metrics[0];
}

/**
 * @param {Pick<MetricComparison, 'metric'>} change
 * @returns {boolean} whether it is called slower or faster, not worse or better
 */
export function isOfTime({ metric: id }) {
  const role = METRICS.find((metric) => metric.id === id)?.role;
  return role === 'speed' || role === 'tail';
}

/**
 * @param {Pick<MetricComparison, 'metric'>} change
 * @returns {string} as a sentence begins
 */
export function labelOf({ metric: id }) {
  return METRICS.find((metric) => metric.id === id)?.label ?? escaped(id);
}

/**
 * @param {Pick<MetricComparison, 'metric'>} change
 * @returns {string} as it stands inside a sentence
 */
export function labelWithin(change) {
  // "CPU" stays as it is.
  return labelOf(change).replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/**
 * @param {MetricComparison} change
 * @param {'base' | 'head'} side
 * @returns {string} "35 ms"; empty where it was not measured
 */
export function sizeText(change, side) {
  const value = change[side];
  if (value === undefined) return '';
  const unit = METRICS.find(({ id }) => id === change.metric)?.unit ?? '';
  const [, suffix] = UNITS[unit] ?? [count, unit && ` ${unit}`];
  return `${figureOf(unit, value)}${suffix}`;
}

/**
 * @param {string} unit a metric's
 * @param {number} value
 * @returns {string} the figure alone, as under a heading that tells its unit
 */
export function figureOf(unit, value) {
  return (UNITS[unit]?.[0] ?? count)(value);
}

/**
 * @param {MetricComparison} change
 * @param {Comparison['method']} method another machine's figures are no step on the way to this one's
 * @returns {string} "12 ms → 35 ms"; empty where there are not both
 */
export function sizesText(change, method) {
  const [base, head] = [sizeText(change, 'base'), sizeText(change, 'head')];
  return method !== 'other-machine' && base && head ? `${base} → ${head}` : '';
}

/**
 * A change that may be none has an interval, and no figure of its own that would be quoted.
 * @param {MetricComparison} change
 * @returns {string} empty where nothing could be estimated
 */
export function changeText(change) {
  const { effectPct, ciPct } = change;
  if (effectPct === undefined || !ciPct) return '';
  if (isCertain(change)) return `${percent(effectPct)} (${interval(ciPct)})`;
  return isTooWide(ciPct) ? UNTOLD : `~ (${interval(ciPct)})`;
}

/**
 * @param {MetricComparison} change one that is known
 * @param {Comparison['method']} method
 * @returns {string} "12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)", or why there are no figures, as Markdown
 */
export function figuresText(change, method) {
  return [sizesText(change, method), changeText(change)].filter(Boolean).join(', ') || whyText(change);
}

/**
 * @param {MetricComparison} change one that is not known
 * @returns {string} "unsure: ~ (−6.0 to +9.0 %), " and why, as Markdown
 */
export function openText(change) {
  const text = changeText(change);
  if (text === UNTOLD) return `${UNTOLD}: ${whyText(change)}`;
  return `unsure: ${[text, whyText(change)].filter(Boolean).join(', ')}`;
}

/**
 * @param {MetricComparison} change
 * @returns {string} what its figures do not tell already, as Markdown
 */
export function whyText(change) {
  return isCertain(change) && change.ciPct ? '' : escaped(change.why);
}

/**
 * @param {MetricComparison} change
 * @param {string | undefined} against a server against itself gets no better and no worse
 * @returns {string}
 */
export function verdictText(change, against) {
  return against === 'same' && isCertain(change) ? 'differs' : change.verdict;
}

/** @param {MetricComparison} change */
function isCertain({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}
