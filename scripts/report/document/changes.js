/**
 * What a comparison found: a line for each change and each open question, and every metric as a table.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, Column, Item } from './blocks.js'
 */

import { METRICS } from '../../samples/figures.js';
import {
  changeText,
  decisiveOf,
  figuresText,
  isOfTime,
  labelOf,
  openText,
  shortWhyText,
  sizeText,
  verdictText,
  whyText,
  withinTexts,
  worstFirst,
} from '../text/change.js';
import { plain, strong } from '../text/inline.js';
import { nameOf } from '../text/names.js';
import { column, names, table } from './blocks.js';
import { floorBlocks } from './noise-floor.js';
import { rerunHint } from './rerun-hint.js';
import { refText } from './trust.js';

/** Longer lists are no summary; the table has the rest. */
const [OPEN_LINES, SAME_LINES] = [8, 10];

/** @typedef {{ run: Run, comparison: Comparison, words: Words }} Context */

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {Block[]} the worst first; of a server against itself the noise floor
 */
export function changeBlocks(run, comparison, words) {
  if (comparison.against === 'self') return floorBlocks(run, comparison, words);
  const context = { run, comparison, words };
  const cases = worstFirst(comparison.cases);
  const open = openItems(cases, context);
  const hint = rerunHint(run, comparison, words);
  const items = [
    ...cases.flatMap((compared) =>
      changesOf(compared, context).map((text) => itemOf(compared, text, context)),
    ),
    ...open.slice(0, OPEN_LINES),
    ...(open.length > OPEN_LINES ? [{ text: words.changes.moreUnsure(open.length - OPEN_LINES) }] : []),
    ...sameItems(cases, context),
    ...(hint === undefined ? [] : [{ text: hint }]),
  ];
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

/**
 * @param {CaseComparison[]} cases
 * @param {Context} context
 * @returns {Item[]} cases that are unsure for one reason share a line
 */
function openItems(cases, { run, comparison, words }) {
  /** @type {Map<string, string[]>} */
  const open = new Map();
  for (const compared of cases.filter(({ verdict, only }) => verdict === 'unsure' && !only)) {
    const change = decisiveOf(compared, comparison);
    const text = change
      ? `${labelOf(change, words)} ${openText(change, words)}`
      : words.change.verdicts.unsure;
    open.set(text, [...(open.get(text) ?? []), strong(nameOf(run, compared.id, words))]);
  }
  return [...open].map(([text, cases]) => ({ text: `${words.list(cases)}: ${text}`, verdict: 'unsure' }));
}

/**
 * @param {CaseComparison[]} cases
 * @param {Context} context
 * @returns {Item[]} for a terminal, whose tables have no verdicts
 */
function sameItems(cases, context) {
  const { comparison, words } = context;
  const same = cases.filter((compared) => {
    return compared.verdict === 'same' && changesOf(compared, context).length === 0;
  });
  const items = same.slice(0, SAME_LINES).map((compared) => {
    const change = decisiveOf(compared, comparison);
    const told = change && [changeText(change, words), whyText(change, words)].filter(Boolean).join(', ');
    const text = change
      ? `${labelOf(change, words)} ${words.change.verdicts.same}${told && `: ${told}`}`
      : words.change.verdicts.same;
    return { ...itemOf(compared, text, context), isTabled: true };
  });
  const left = same.length - items.length;
  return left > 0 ? [...items, { text: words.terminal.alike(left), verdict: 'same', isTabled: true }] : items;
}

/** @param {CaseComparison} compared @param {string} text @param {Context} context @returns {Item} */
function itemOf({ id, verdict, only }, text, { run, words }) {
  return { text: `${strong(nameOf(run, id, words))}: ${text}`, ...(!only && { verdict }) };
}

/**
 * Under a red headline a gain counts only where it is one of speed: less memory is no news of a server that got slower.
 * @param {CaseComparison} compared
 * @param {Context} context
 * @returns {string[]}
 */
function changesOf(compared, { run, comparison, words }) {
  const { id, metrics, only } = compared;
  const { verdict: worst, method } = comparison;
  if (only) return [words.changes.only(only)];
  const within = withinTexts(compared, words);
  if (within.length > 0) return within;
  const isRed = worst === 'regressed' || worst === 'failed';
  return metrics
    .filter(
      (change) =>
        change.verdict === 'regressed' ||
        change.verdict === 'failed' ||
        (change.verdict === 'improved' && (!isRed || isOfTime(change))),
    )
    .map((change) =>
      change.verdict === 'failed'
        ? failedText(change, { id, run, comparison, words })
        : `${words.change.changed(change.metric, labelOf(change, words), change.verdict)}: ${figuresText(change, method, words)}`,
    );
}

/**
 * @param {MetricComparison} change
 * @param {Context & { id: string }} context
 * @returns {string} which side failed, by the name that its user gave it
 */
function failedText(change, { id, run, comparison: { base, head, against }, words }) {
  const why = whyText(change, words);
  const name = head.ref === undefined ? undefined : plain(head.ref, 80);
  const isHead = !run.cases.some((measured) => measured.id === id && measured.summary);
  if (isHead) return words.changes.failed(name, why);
  return words.changes.baseFailed(refText(base, against ?? 'base', words), why, name);
}

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {Block[]} every metric of every case
 */
export function comparedBlocks(run, { cases, against }, words) {
  const rows = worstFirst(cases).flatMap(({ id, metrics }) => metrics.map((change) => ({ id, change })));
  if (rows.length === 0) return [];
  const nameColumn = names(rows, words.columns.server, ({ id }) => nameOf(run, id, words));
  return [table([nameColumn, ...metricColumns(rows, against, words)])];
}

/**
 * @param {CaseComparison} compared
 * @param {string | undefined} against
 * @param {Words} words
 * @returns {Block[]} the metrics that this version knows, in their order
 */
export function metricBlocks({ metrics }, against, words) {
  const rows = METRICS.flatMap(({ id }) =>
    metrics.filter(({ metric }) => metric === id).map((change) => ({ change })),
  );
  return rows.length > 0 ? [table(metricColumns(rows, against, words))] : [];
}

/**
 * @param {{ change: MetricComparison }[]} rows
 * @param {string | undefined} against
 * @param {Words} words
 * @returns {Column[]}
 */
function metricColumns(rows, against, words) {
  const { columns } = words;
  const [base, head] =
    against === 'self' ? [columns.oneSide, columns.otherSide] : [columns.base, columns.head];
  return [
    names(rows, columns.metric, ({ change }) => labelOf(change, words)),
    {
      ...names(rows, columns.verdict, ({ change }) => verdictText(change, against, words)),
      verdicts: rows.map(({ change }) => change.verdict),
    },
    column(rows, columns.change, ({ change }) => changeText(change, words)),
    column(rows, base, ({ change }) => sizeText(change, 'base', words)),
    column(rows, head, ({ change }) => sizeText(change, 'head', words)),
    { ...names(rows, columns.why, ({ change }) => shortWhyText(change, words)), priority: 2 },
  ];
}
