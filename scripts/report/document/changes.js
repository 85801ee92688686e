/**
 * What a comparison found: what changed or stays open in a line each, and everything as a table.
 * @import { CaseComparison, Comparison, MetricComparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { markdownTable } from 'markdown-table';
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
import { escaped } from '../render/escape.js';
import { nameOf } from './table-rows.js';
import { renderFloor } from './noise-floor.js';
import { settlingText } from './rerun-hint.js';
import { refText } from './headline.js';

/** A longer list is no summary; the table has the rest. */
const OPEN_LINES = 8;

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {string[]} what changed, then what is open, a line each; of a server against itself the noise floor
 */
export function renderChanges(run, comparison, words) {
  const { cases, against } = comparison;
  if (against === 'self') return renderFloor(run, comparison, words);
  const changed = worstFirst(cases).flatMap((of) =>
    changesOf(of, { run, comparison, words }).map((text) => `- **${told(run, of, words)}**: ${text}`),
  );
  /** @type {Map<string, string[]>} */
  const open = new Map();
  for (const of of cases.filter(({ verdict, only }) => verdict === 'unsure' && !only)) {
    const change = decisiveOf(of, comparison);
    const text = change
      ? `${labelOf(change, words)} ${openText(change, words)}`
      : words.change.verdicts.unsure;
    open.set(text, [...(open.get(text) ?? []), `**${told(run, of, words)}**`]);
  }
  const lines = [...open].map(([text, names]) => `- ${words.list(names)}: ${text}`);
  const more = lines.length - OPEN_LINES;
  const settling = settlingText(run, comparison, words);
  return [
    ...changed,
    ...lines.slice(0, OPEN_LINES),
    ...(more > 0 ? [`- ${words.changes.moreUnsure(more)}`] : []),
    ...(settling === undefined ? [] : [`- ${settling}`]),
  ];
}

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {string | undefined} every metric of every case; undefined where there is none
 */
export function renderCompared(run, { cases, against }, words) {
  const rows = worstFirst(cases).flatMap((of) =>
    of.metrics.map((change) => [
      told(run, of, words),
      labelOf(change, words),
      sizeText(change, 'base', words),
      sizeText(change, 'head', words),
      changeText(change, words),
      verdictText(change, against, words),
      shortWhyText(change, words),
    ]),
  );
  if (rows.length === 0) return undefined;
  const { server, metric, change, verdict, why, ...heads } = words.columns;
  const sides = against === 'self' ? [heads.oneSide, heads.otherSide] : [heads.base, heads.head];
  const heading = [server, metric, ...sides, change, verdict, why];
  return markdownTable([heading, ...rows], { align: ['l', 'l', 'r', 'r', 'r', 'l', 'l'] });
}

/**
 * Under a red headline a gain is told only where it is one of speed: less memory is no news of a server that got slower.
 * @param {CaseComparison} of
 * @param {{ run: Run, comparison: Comparison, words: Words }} context
 * @returns {string[]} as Markdown
 */
export function changesOf(of, { run, comparison, words }) {
  const { id, metrics, only } = of;
  const { verdict: worst, method } = comparison;
  if (only) return [words.changes.only(only)];
  const within = withinTexts(of, words);
  if (within.length > 0) return within;
  const red = worst === 'regressed' || worst === 'failed';
  return metrics
    .filter(
      (change) =>
        change.verdict === 'regressed' ||
        change.verdict === 'failed' ||
        (change.verdict === 'improved' && (!red || isOfTime(change))),
    )
    .map((change) =>
      change.verdict === 'failed'
        ? failedText(change, { id, run, comparison, words })
        : `${labelOf(change, words)} ${words.change.verdicts[change.verdict]}: ${figuresText(change, method, words)}`,
    );
}

/**
 * @param {MetricComparison} change
 * @param {{ id: string, run: Run, comparison: Comparison, words: Words }} context
 * @returns {string} which side failed, by the name that its user gave it
 */
function failedText(change, { id, run, comparison: { base, head, against }, words }) {
  const why = whyText(change, words);
  const name = head.ref === undefined ? undefined : escaped(head.ref, 80);
  const isHead = !run.cases.some((of) => of.id === id && of.summary);
  if (isHead) return words.changes.failed(name, why);
  return words.changes.baseFailed(refText(base, against ?? 'base', words), why, name);
}

/**
 * @param {Run} run
 * @param {CaseComparison} of
 * @param {Words} words
 */
function told(run, { id }, words) {
  return escaped(nameOf(run, id, words), 200);
}
