/**
 * How a metric changed, in words.
 * @import { CaseComparison, Comparison, Figure, MetricComparison } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { decides, METRICS } from '../../samples/figures.js';
import { isTooWide } from './format.js';
import { code, plain, sentence } from './inline.js';

/**
 * How a figure is formatted, and what follows it, by the metric's unit.
 * @typedef {'rate' | 'microseconds' | 'milliseconds' | 'megabytes' | 'portion' | 'cores' | 'amount'} Format
 * @type {Record<string, [Format, string]>}
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
  'per request': ['amount', ''],
};

/** @param {Pick<MetricComparison, 'metric'>} change */
const rowOf = ({ metric }) => METRICS.find(({ id }) => id === metric);

/**
 * Whether it is slower or faster, not worse or better.
 * @type {(change: Pick<MetricComparison, 'metric'>) => boolean}
 */
export function isOfTime(change) {
  return ['speed', 'tail'].includes(rowOf(change)?.judged.role ?? '');
}

/**
 * Returns "Throughput", "p99 latency at 5,000 req/s".
 * @type {(change: Pick<MetricComparison, 'metric' | 'rate'>, words: Words) => string}
 */
export function labelOf(change, words) {
  const row = rowOf(change);
  const label = words.label(row, change.metric);
  const hasRate = change.rate !== undefined && row?.judged.role === 'tail';
  return plain(hasRate ? words.atRate(label, change.rate ?? 0) : label);
}

/**
 * Returns "35 ms", or nothing.
 * @type {(change: Pick<MetricComparison, 'metric' | 'base' | 'head'>, side: 'base' | 'head', words: Words) =>
 *   string}
 */
export function sizeText(change, side, words) {
  const value = change[side];
  if (value === undefined) return '';
  const unit = rowOf(change)?.unit ?? '';
  return `${figureOf(unit, value, words)}${UNITS[unit]?.[1] ?? (unit && ` ${unit}`)}`;
}

/** Returns "Mean memory, MB". @type {(row: Pick<Figure, 'id' | 'label' | 'unit'>, words: Words) => string} */
export function headingOf(row, words) {
  return [words.label(row, row.id), (UNITS[row.unit]?.[1] ?? row.unit).trim()].filter(Boolean).join(', ');
}

/**
 * How the figures of a unit are written, without the unit; short: beside an axis.
 * @type {(unit: string, words: Words) => Record<'format' | 'short', (value: number) => string>}
 */
export function formatsOf(unit, words) {
  const format = (/** @type {number} */ value) => figureOf(unit, value, words);
  return { format, short: unit.startsWith('bytes') ? format : words.compact };
}

/** Returns it without the unit, a metric's. @type {(unit: string, value: number, words: Words) => string} */
export function figureOf(unit, value, words) {
  return words[UNITS[unit]?.[0] ?? 'count'](value);
}

/**
 * Returns an interval alone where it includes 0, and nothing where nothing could be estimated.
 * @type {(change: MetricComparison, words: Words) => string}
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
 * Returns "CPU per request +4.1 % (+2.0 to +6.2 %)", or nothing where nothing could be estimated.
 * @type {(change: MetricComparison, words: Words) => string}
 */
export function namedChange(change, words) {
  const text = changeText(change, words);
  return text && `${labelOf(change, words)} ${text}`;
}

/**
 * Returns "+191.7 % (+150.0 to +240.0 %)" of a change that has an interval, whatever its verdict.
 * @param {Pick<MetricComparison, 'effectPct' | 'ciPct' | 'ciLevelPct'>} change
 * @param {Words} words
 */
export function estimateText({ effectPct = 0, ciPct = [0, 0], ciLevelPct }, words) {
  if (isTooWide(ciPct)) return words.change.inconclusive;
  return `${words.bounded(effectPct)} (${words.interval(ciPct, ciLevelPct)})`;
}

/**
 * Returns "12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)", or why there are no figures.
 * @type {(change: MetricComparison, by: Pick<Comparison, 'method' | 'reference'>, words: Words) => string}
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
  return [...figures, ...kindTexts(change, words)].filter(Boolean).join(', ') || whyText(change, words);
}

/**
 * Returns "41 of them `SELECT ...`", or "`SELECT ...` 3 → 1".
 * @type {(change: MetricComparison, words: Words) => string[]}
 */
function kindTexts({ changedKinds = [] }, { amount, counts }) {
  return changedKinds.map(({ name, base, head }) => {
    const kind = code(plain(name, 200));
    return head > base ? counts.ofThem(head, kind) : `${kind} ${amount(base)} → ${amount(head)}`;
  });
}

/**
 * Returns "unsure: −6.0 to +9.0 %, too much noise". How many rounds would decide it is left to the table: the
 * report advises a budget for all cases.
 * @type {(change: MetricComparison, words: Words, options?: { hasInterval?: boolean }) => string}
 */
export function openText(change, words, { hasInterval = true } = {}) {
  const { why } = change;
  const text = hasInterval ? changeText(change, words) : '';
  const reason = why.code === 'open' ? words.change.open(why) : whyText(change, words);
  if (text === words.change.inconclusive) return `${text}: ${reason}`;
  return words.change.unsure([text, reason].filter(Boolean).join(', '));
}

/** Returns nothing where its figures say it. @type {(change: MetricComparison, words: Words) => string} */
export function whyText(change, words) {
  const isShown = (isCertain(change) || change.verdict === 'same') && change.ciPct;
  return isShown ? '' : sentence(words.reason(change.why));
}

/**
 * A server against itself gets no better and no worse.
 * @type {(change: MetricComparison, against: string | undefined, words: Words) => string}
 */
export function verdictText(change, against, { change: { verdicts } }) {
  if (against === 'self') return isCertain(change) ? verdicts.differs : verdicts[change.verdict];
  return isWithin(change) ? verdicts.within : verdicts[change.verdict];
}

/**
 * How much slower or faster a server certainly is that counts as the same.
 * @type {(compared: CaseComparison, words: Words) => string[]}
 */
export function withinTexts({ verdict, metrics }, words) {
  const change = verdict === 'same' ? metrics.filter(decides).find(isWithin) : undefined;
  if (!change?.ciPct) return [];
  const { effectPct = 0, ciPct } = change;
  const way = effectPct > 0 === (rowOf(change)?.better === 'more') ? 'faster' : 'slower';
  const [near = 0, far = 0] = ciPct.map(Math.abs).toSorted((a, b) => a - b);
  return [`${labelOf(change, words)}: ${words.change.within(way, Math.abs(effectPct), [near, far])}`];
}

/**
 * Returns "the answer changed: 44,012 to 2 bytes".
 * @type {(answer: NonNullable<CaseComparison['answer']>, words: Words) => string}
 */
export function answerText({ base, head }, words) {
  const named = (/** @type {string | number | undefined} */ value) =>
    value === undefined ? undefined : plain(String(value), 80);
  const parts = /** @type {const} */ (['status', 'type', 'encoding']).flatMap((part) =>
    base[part] === head[part] ? [] : words.answer.part(part, named(base[part]), named(head[part])),
  );
  const sizes = base.bytes === head.bytes ? [] : words.answer.bytes(base.bytes ?? 0, head.bytes ?? 0);
  return words.answer.changed(parts.concat(sizes));
}

/** Whether it changed for certain, within the margin. @type {(change: MetricComparison) => boolean} */
function isWithin({ verdict, ciPct }) {
  return verdict === 'same' && ciPct !== undefined && (ciPct[0] > 0 || ciPct[1] < 0);
}

/** @param {MetricComparison} change */
function isCertain({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}
