/**
 * What a comparison found: what changed or stays open in a line each, and everything as a table.
 * @import { CaseComparison, Comparison, Run } from '../types.js'
 */

import { markdownTable } from 'markdown-table';
import {
  changeText,
  decisiveOf,
  figuresText,
  isOfTime,
  labelOf,
  openText,
  sizeText,
  verdictText,
  whyText,
} from './change.js';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';
import { renderFloor } from './floor.js';
import { settlingOption } from './settle.js';
import { refText } from './verdict.js';

/** A longer list is no summary; the table has the rest. */
const OPEN_LINES = 8;

/**
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string[]} what changed, then what is open, a line each; of a server against itself the noise floor
 */
export function renderChanges(run, comparison) {
  const { cases, against } = comparison;
  if (against === 'same') return renderFloor(run, comparison);
  const changed = cases.flatMap((of) =>
    changesOf(of, { run, comparison }).map((text) => `- **${told(run, of)}**: ${text}`),
  );
  /** @type {Map<string, string[]>} */
  const open = new Map();
  for (const of of cases.filter(({ verdict, only }) => verdict === 'unsure' && !only)) {
    const change = decisiveOf(of, comparison);
    const text = change ? `${labelOf(change)} ${openText(change)}` : 'unsure';
    open.set(text, [...(open.get(text) ?? []), `**${told(run, of)}**`]);
  }
  const lines = [...open].map(([text, names]) => `- ${names.join(', ')}: ${text}`);
  const more = lines.length - OPEN_LINES;
  const option = settlingOption(run, comparison);
  return [
    ...changed,
    ...lines.slice(0, OPEN_LINES),
    ...(more > 0 ? [`- and ${more} more that are unsure`] : []),
    ...(option === undefined ? [] : [`- \`${option}\` would about settle what is unsure`]),
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
      sizeText(change, 'base'),
      sizeText(change, 'head'),
      changeText(change),
      verdictText(change, against),
      whyText(change),
    ]),
  );
  if (rows.length === 0) return undefined;
  const sides = against === 'same' ? ['One side', 'The other'] : ['Base', 'Head'];
  const heading = ['Server', 'Metric', ...sides, 'Δ', 'Verdict', 'Why'];
  return markdownTable([heading, ...rows], { align: ['l', 'l', 'r', 'r', 'r', 'l', 'l'] });
}

/**
 * Under a red headline a gain is told only where it is one of speed: less memory is no news of a server that got slower.
 * @param {CaseComparison} of
 * @param {{ run: Run, comparison: Comparison }} context
 */
function changesOf({ id, metrics, only }, { run, comparison }) {
  const { verdict: worst, method } = comparison;
  if (only) return [`only in the ${only}, nothing to compare with`];
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
        ? failedText(change.why, { id, run, comparison })
        : `${labelOf(change)} ${change.verdict}: ${figuresText(change, method)}`,
    );
}

/**
 * @param {string} why
 * @param {{ id: string, run: Run, comparison: Comparison }} context
 * @returns {string} which side failed, by the name that its user gave it
 */
function failedText(why, { id, run, comparison: { base, head, against } }) {
  const isHead = !run.cases.some((of) => of.id === id && of.summary);
  if (isHead) return `${escaped(head.ref ?? 'the head', 80)} could not be measured: ${escaped(why)}`;
  return `${refText(base, against ?? 'base')} could not be measured: ${escaped(why)}. ${escaped(head.ref ?? 'The head', 80)} could: both can be compared once it is merged`;
}

/**
 * @param {Run} run
 * @param {CaseComparison} of
 */
function told(run, { id }) {
  return escaped(nameOf(run, id), 200);
}
