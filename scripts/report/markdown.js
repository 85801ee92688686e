/**
 * The whole report as Markdown: the verdict first, how to repeat it last.
 * @import { Comparison, Run } from '../types.js'
 */

import { renderBox } from './box.js';
import { escaped, fenced } from './format.js';
import { renderPublished } from './published.js';
import { renderTables } from './tables.js';
import { changes, failures, footnotes, headline, measuredWith, trust } from './words.js';

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison, baselineHint?: string }} [options] baselineHint: how a baseline is made, told where there is none
 * @returns {string}
 */
export function renderReport(run, { comparison, baselineHint } = {}) {
  const published = renderPublished(run);
  return `${[
    `## ${headline(run, comparison)}`,
    ...(comparison
      ? [changes(run, comparison).join('\n'), trust(comparison).join(' ')]
      : [baselineHint ?? '']),
    ...renderTables(run, { comparison }),
    ...failures(run),
    footnotes(run).join('\n\n'),
    ...(published === undefined ? [] : [folded('Beside the published figures', published)]),
    ...boxes(run),
    folded('How it was measured', howMeasured(run)),
  ]
    .filter(Boolean)
    .join('\n\n')}\n`;
}

/**
 * @param {Run} run
 * @returns {string[]} each case's full box, folded
 */
export function boxes(run) {
  return run.cases.flatMap((of) => {
    const box = renderBox(of);
    return box === undefined ? [] : [folded(escaped(of.id), box)];
  });
}

/**
 * @param {Run} run
 * @returns {string}
 */
export function howMeasured(run) {
  const lines = measuredWith(run).map((line) => `- ${line}`);
  const repeat =
    run.command === undefined
      ? []
      : ['', 'The same at home:', '', fenced([run.command.replace(/\s+/g, ' ')])];
  return [...lines, ...repeat].join('\n');
}

/**
 * @param {string} title
 * @param {string} text
 * @returns {string}
 */
export function folded(title, text) {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}
