/**
 * How a metric changed, in words.
 * @import { CaseComparison, Comparison, Figure, MetricComparison } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { decides, METRICS } from '../../samples/figures.js';
import { isTooWide } from './format.js';
import { plain, sentence } from './inline.js';

/**
 * How a figure is formatted, and what follows it, by the metric's unit.
 * @type {Record<string, [keyof Pick<Words, 'rate' | 'microseconds' | 'milliseconds' | 'megabytes' | 'portion' | 'cores'>, string]>}
 */
const UNITS = {
  'req/s': ['rate', ' req/s'],
  µs: ['microseconds', ' µs'],
  ms: ['milliseconds', ' ms'],
  bytes: ['megabytes', ' MB'],
  'bytes/s': ['megabytes', ' MB/s'],
  'share of requests': ['portion', ''],
  share: ['portion', ''],
  '/s': ['rate', ' /s'],
  cores: ['cores', ' cores'],
};

/** @param {Pick<MetricComparison, 'metric'>} change */
const rowOf = ({ metric }) => METRICS.find(({ id }) => id === metric);

/** @param {Pick<MetricComparison, 'metric'>} change @returns {boolean} whether it is slower or faster, not worse or better */
export function isOfTime(change) {
  return ['speed', 'tail'].includes(rowOf(change)?.judged.role ?? '');
}

/**
 * @param {Pick<MetricComparison, 'metric' | 'rate'>} change @param {Words} words
 * @returns {string} "Throughput", "p99 latency at 5,000 req/s"
 */
export function labelOf(change, words) {
  const row = rowOf(change);
  const label = words.label(row, change.metric);
  const hasRate = change.rate !== undefined && row?.judged.role === 'tail';
  return plain(hasRate ? words.atRate(label, change.rate ?? 0) : label);
}

/** @param {Pick<MetricComparison, 'metric' | 'base' | 'head'>} change @param {'base' | 'head'} side @param {Words} words @returns {string} "35 ms", or nothing */
export function sizeText(change, side, words) {
  const value = change[side];
  if (value === undefined) return '';
  const unit = rowOf(change)?.unit ?? '';
  return `${figureOf(unit, value, words)}${UNITS[unit]?.[1] ?? (unit && ` ${unit}`)}`;
}

/** @param {Pick<Figure, 'id' | 'label' | 'unit'>} row @param {Words} words @returns {string} "Mean memory, MB" */
export function headingOf(row, words) {
  return [words.label(row, row.id), (UNITS[row.unit]?.[1] ?? row.unit).trim()].filter(Boolean).join(', ');
}

/** @param {string} unit a figure's @param {Words} words @returns {Record<'format' | 'short', (value: number) => string>} without the unit; short: beside an axis */
export function formatsOf(unit, words) {
  const format = (/** @type {number} */ value) => figureOf(unit, value, words);
  return { format, short: unit.startsWith('bytes') ? format : words.compact };
}

/** @param {string} unit a metric's @param {number} value @param {Words} words @returns {string} without the unit */
export function figureOf(unit, value, words) {
  return words[UNITS[unit]?.[0] ?? 'count'](value);
}

/**
 * @param {MetricComparison} change @param {Words} words
 * @returns {string} an interval alone where it includes 0; empty where nothing could be estimated
 */
export function changeText(change, words) {
  const { effectPct, ciPct, ciLevelPct } = change;
  if (effectPct === undefined || !ciPct) return '';
  if (isCertain(change) || isWithin(change)) return estimateText(change, words);
  if (isTooWide(ciPct)) return words.change.inconclusive;
  const [low, high] = ciPct.map(words.percent);
  return low === high ? `${low}` : words.interval(ciPct, ciLevelPct);
}

/**
 * @param {MetricComparison} change @param {Words} words
 * @returns {string} "CPU per request +4.1 % (+2.0 to +6.2 %)"; empty where nothing could be estimated
 */
export function namedChange(change, words) {
  const text = changeText(change, words);
  return text && `${labelOf(change, words)} ${text}`;
}

/**
 * @param {Pick<MetricComparison, 'effectPct' | 'ciPct' | 'ciLevelPct'>} change that has an interval @param {Words} words
 * @returns {string} "+191.7 % (+150.0 to +240.0 %)", whatever its verdict
 */
export function estimateText({ effectPct = 0, ciPct = [0, 0], ciLevelPct }, words) {
  if (isTooWide(ciPct)) return words.change.inconclusive;
  return `${words.bounded(effectPct)} (${words.interval(ciPct, ciLevelPct)})`;
}

/**
 * @param {MetricComparison} change @param {Pick<Comparison, 'method' | 'reference'>} comparison @param {Words} words
 * @returns {string} "12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)", or why there are no figures
 */
export function figuresText(change, { method, reference }, words) {
  const [base, head] = [sizeText(change, 'base', words), sizeText(change, 'head', words)];
  if (change.why.code === 'wrong-answers') return whyText(change, words);
  // Rounds that were left out of the change may distort the sizes.
  const [low, high] = change.ciPct ?? [-Infinity, Infinity];
  const ratio = 100 * (Number(change.head) / Number(change.base) - 1);
  const isAlike = method === 'side-by-side' ? !(ratio < low || ratio > high) : method === 'stored';
  const sizes = isAlike && base && head ? `${base} → ${head}` : '';
  const text = changeText(change, words);
  // The sizes are of different days, and the change is relative to the reference server.
  const isBeside = method === 'stored' && reference !== undefined && rowOf(change)?.judged.scales === true;
  const isRelative = isBeside && sizes !== '' && text !== '';
  const figures = [sizes, isRelative ? words.change.besideReference(text) : text];
  return figures.filter(Boolean).join(', ') || whyText(change, words);
}

/**
 * How many rounds would decide it is left to the table: the report advises a budget for all cases.
 * @param {MetricComparison} change @param {Words} words @param {{ hasInterval?: boolean }} [options]
 * @returns {string} "unsure: −6.0 to +9.0 %, too much noise"
 */
export function openText(change, words, { hasInterval = true } = {}) {
  const { why } = change;
  const text = hasInterval ? changeText(change, words) : '';
  const reason = why.code === 'open' ? words.change.open(why) : whyText(change, words);
  if (text === words.change.inconclusive) return `${text}: ${reason}`;
  return words.change.unsure([text, reason].filter(Boolean).join(', '));
}

/** @param {MetricComparison} change @param {Words} words @returns {string} empty where its figures say it */
export function whyText(change, words) {
  const isShown = (isCertain(change) || change.verdict === 'same') && change.ciPct;
  return isShown ? '' : sentence(words.reason(change.why));
}

/** @param {MetricComparison} change @param {Words} words @returns {string} for a cell: only the kind of a failure */
export function shortWhyText(change, words) {
  return change.why.code === 'failed' ? plain(change.why.kind) : whyText(change, words);
}

/**
 * @param {MetricComparison} change
 * @param {string | undefined} against a server against itself gets no better and no worse
 * @param {Words} words @returns {string}
 */
export function verdictText(change, against, { change: { verdicts } }) {
  if (against === 'self') return isCertain(change) ? verdicts.differs : verdicts[change.verdict];
  return isWithin(change) ? verdicts.within : verdicts[change.verdict];
}

/**
 * @param {CaseComparison} compared @param {Words} words
 * @returns {string[]} how much slower or faster a server certainly is that counts as the same
 */
export function withinTexts({ verdict, metrics }, words) {
  const change = verdict === 'same' ? metrics.filter(decides).find(isWithin) : undefined;
  if (!change?.ciPct) return [];
  const { effectPct = 0, ciPct } = change;
  const way = effectPct > 0 === (rowOf(change)?.better === 'more') ? 'faster' : 'slower';
  const [near = 0, far = 0] = ciPct.map(Math.abs).toSorted((a, b) => a - b);
  return [`${labelOf(change, words)}: ${words.change.within(way, Math.abs(effectPct), [near, far])}`];
}

/** @param {NonNullable<CaseComparison['answer']>} answer @param {Words} words @returns {string} "the answer changed: 44,012 to 2 bytes" */
export function answerText({ base, head }, words) {
  const named = (/** @type {string | number | undefined} */ value) =>
    value === undefined ? undefined : plain(String(value), 80);
  const parts = /** @type {const} */ (['status', 'type', 'encoding']).flatMap((part) =>
    base[part] === head[part] ? [] : words.answer.part(part, named(base[part]), named(head[part])),
  );
  const sizes = base.bytes === head.bytes ? [] : words.answer.bytes(base.bytes ?? 0, head.bytes ?? 0);
  return words.answer.changed(parts.concat(sizes));
}

/** @param {MetricComparison} change @returns {boolean} whether it certainly changed, but no more than the margin */
function isWithin({ verdict, ciPct }) {
  return verdict === 'same' && ciPct !== undefined && (ciPct[0] > 0 || ciPct[1] < 0);
}

/** @param {MetricComparison} change */
function isCertain({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}
