/**
 * How a metric changed, in words: which one decided, its label, its sizes, its interval, its verdict.
 * @import { CaseComparison, Comparison, MetricComparison } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { decides, METRICS, SPEEDS } from '../../samples/figures.js';
import { plain, sentence } from './inline.js';
import { isTooWide, WIDEST } from './format.js';

/** How tables and lists are sorted. @type {import('../../types.js').Verdict[]} */
export const WORST_FIRST = ['failed', 'regressed', 'unsure', 'improved', 'same'];

/**
 * @template {{ verdict: import('../../types.js').Verdict }} T
 * @param {T[]} judged
 * @returns {T[]}
 */
export function worstFirst(judged) {
  return judged.toSorted((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict));
}

/** By a metric's unit: the figure, and what follows it. @type {Record<string, [keyof Pick<Words, 'rate' | 'microseconds' | 'milliseconds' | 'megabytes' | 'portion'>, string]>} */
const UNITS = {
  'req/s': ['rate', ' req/s'],
  µs: ['microseconds', ' µs'],
  ms: ['milliseconds', ' ms'],
  bytes: ['megabytes', ' MB'],
  'bytes/s': ['megabytes', ' MB/s'],
  'share of requests': ['portion', ''],
  share: ['portion', ''],
  '/s': ['rate', ' /s'],
};

/**
 * @param {CaseComparison} of
 * @param {Pick<Comparison, 'warnings'>} comparison
 * @returns {MetricComparison | undefined} the first that has the case's own verdict, of those that count for it; the
 *   sharpest open one of speed where others used the machine
 */
export function decisiveOf({ id: of, verdict, metrics }, { warnings }) {
  const counted = METRICS.filter(({ judged }) => judged.gate)
    .flatMap(({ id }) => metrics.filter(({ metric }) => metric === id))
    .toSorted((a, b) => Number(decides(b)) - Number(decides(a)));
  const fitting = counted.filter((change) => change.verdict === verdict);
  const disturbed = warnings.some((warning) => warning.code === 'disturbed' && warning.case === of);
  const deciding = fitting.filter(decides);
  const carrier = SPEEDS.flatMap(({ id }) => deciding.filter(({ metric }) => metric === id))[0];
  if (disturbed && verdict === 'unsure' && carrier) return carrier;
  return fitting[0] ?? counted[0] ?? metrics[0];
}

/**
 * @param {Pick<MetricComparison, 'metric'>} change
 * @returns {boolean} whether it is called slower or faster, not worse or better
 */
export function isOfTime({ metric: id }) {
  const role = METRICS.find((metric) => metric.id === id)?.judged.role;
  return role === 'speed' || role === 'tail';
}

/**
 * @param {Pick<MetricComparison, 'metric' | 'rate'>} change
 * @param {Words} words
 * @returns {string} as a sentence begins: "Throughput", "p99 latency at 5,000 req/s"
 */
export function labelOf({ metric: id, rate }, words) {
  const row = METRICS.find((metric) => metric.id === id);
  const label = words.label(row, id);
  return plain(rate !== undefined && row?.judged.role === 'tail' ? words.atRate(label, rate) : label);
}

/**
 * @param {MetricComparison} change
 * @param {'base' | 'head'} side
 * @param {Words} words
 * @returns {string} "35 ms"; empty where it was not measured
 */
export function sizeText(change, side, words) {
  const value = change[side];
  if (value === undefined) return '';
  const unit = METRICS.find(({ id }) => id === change.metric)?.unit ?? '';
  return `${figureOf(unit, value, words)}${UNITS[unit]?.[1] ?? (unit && ` ${unit}`)}`;
}

/**
 * @param {string} unit a metric's
 * @param {number} value
 * @param {Words} words
 * @returns {string} the figure alone, as under a heading that tells its unit
 */
export function figureOf(unit, value, words) {
  return words[UNITS[unit]?.[0] ?? 'count'](value);
}

/**
 * @param {MetricComparison} change
 * @param {Comparison['method']} method another machine's figures are no step on the way to this one's
 * @param {Words} words
 * @returns {string} "12 ms → 35 ms"; empty where there are not both
 */
export function sizesText(change, method, words) {
  const [base, head] = [sizeText(change, 'base', words), sizeText(change, 'head', words)];
  return method !== 'other-machine' && base && head ? `${base} → ${head}` : '';
}

/**
 * A change that may be none has an interval, and no figure of its own that would be quoted.
 * @param {MetricComparison} change
 * @param {Words} words
 * @returns {string} empty where nothing could be estimated
 */
export function changeText(change, words) {
  const { effectPct, ciPct } = change;
  if (effectPct === undefined || !ciPct) return '';
  if (isCertain(change) || isWithin(change)) return estimateText(change, words);
  if (isTooWide(ciPct)) return words.change.untold;
  const [low, high] = ciPct.map(words.percent);
  return low === high ? `${low}` : words.interval(ciPct);
}

/**
 * @param {MetricComparison} change that has an interval
 * @param {Words} words
 * @returns {string} "+191.7 % (+150.0 to +240.0 %)", whatever its verdict
 */
export function estimateText({ effectPct = 0, ciPct = [0, 0] }, words) {
  if (isTooWide(ciPct)) return words.change.untold;
  return `${boundedPercent(effectPct, words)} (${words.interval(ciPct)})`;
}

/**
 * @param {MetricComparison} change one that is known
 * @param {Comparison['method']} method
 * @param {Words} words
 * @returns {string} "12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)", or why there are no figures
 */
export function figuresText(change, method, words) {
  const sizes = sizesText(change, method, words);
  const told = changeText(change, words);
  // The sizes are of different days; the change is one of what the server does beside the reference.
  const isBeside = method === 'stored' && sizes !== '' && told !== '';
  const figures = [sizes, isBeside ? words.change.besideReference(told) : told];
  return figures.filter(Boolean).join(', ') || whyText(change, words);
}

/**
 * @param {MetricComparison} change one that is not known
 * @param {Words} words
 * @returns {string} "unsure: −6.0 to +9.0 %, " and why
 */
export function openText(change, words) {
  const text = changeText(change, words);
  const why = whyText(change, words);
  if (text === words.change.untold) return `${text}: ${why}`;
  return words.change.unsure([text, why].filter(Boolean).join(', '));
}

/**
 * @param {MetricComparison} change
 * @param {Words} words
 * @returns {string} what its figures do not tell already
 */
export function whyText(change, words) {
  const isTold = (isCertain(change) || change.verdict === 'same') && change.ciPct;
  return isTold ? '' : sentence(words.reason(change.why));
}

/**
 * @param {MetricComparison} change
 * @param {Words} words
 * @returns {string} the same for a cell: of a failure only its kind, whose message stands elsewhere
 */
export function shortWhyText(change, words) {
  return change.why.code === 'failed' ? plain(change.why.kind) : whyText(change, words);
}

/**
 * @param {MetricComparison} change
 * @param {string | undefined} against a server against itself gets no better and no worse
 * @param {Words} words
 * @returns {string}
 */
export function verdictText(change, against, words) {
  if (against === 'self' && isCertain(change)) return words.change.verdicts.differs;
  return words.change.verdicts[isWithin(change) && against !== 'self' ? 'within' : change.verdict];
}

/**
 * @param {CaseComparison} of
 * @param {Words} words
 * @returns {string[]} how much slower or faster a server surely is that counts as the same
 */
export function withinTexts({ verdict, metrics }, words) {
  const change = verdict === 'same' ? metrics.filter(decides).find(isWithin) : undefined;
  const { effectPct = 0, ciPct } = change ?? {};
  if (!change || !ciPct) return [];
  const isMore = METRICS.some(({ id, better }) => id === change.metric && better === 'more');
  const way = effectPct > 0 === isMore ? 'faster' : 'slower';
  const [near = 0, far = 0] = ciPct.map(Math.abs).toSorted((a, b) => a - b);
  return [`${labelOf(change, words)}: ${words.change.within(way, Math.abs(effectPct), [near, far])}`];
}

/** As the ends of its interval are shown. @param {number} pct @param {Words} words */
function boundedPercent(pct, words) {
  return pct > WIDEST ? words.over(words.percent(WIDEST)) : words.percent(pct);
}

/** @param {MetricComparison} change @returns {boolean} whether it is a change, though one that does not matter */
function isWithin({ verdict, ciPct }) {
  return verdict === 'same' && ciPct !== undefined && (ciPct[0] > 0 || ciPct[1] < 0);
}

/** @param {MetricComparison} change */
function isCertain({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}
