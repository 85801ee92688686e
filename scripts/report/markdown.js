/**
 * The whole report as Markdown: the verdict first, how to repeat it last.
 * @import { Comparison, Run } from '../types.js'
 */

import { renderBox } from './box.js';
import { renderChanges, renderCompared } from './compared.js';
import { howMeasured } from './conditions.js';
import { entities } from './escape.js';
import { footnotesOf, hintOf, renderFailures } from './notes.js';
import { renderPublished } from './published.js';
import { renderTables } from './tables.js';
import { headline, trust } from './verdict.js';

/** baselineHint: how a baseline is made, told where there is none. @typedef {{ comparison?: Comparison, baselineHint?: string }} Options */

/**
 * @param {Run} run
 * @param {Options} [options]
 * @returns {string}
 */
export function renderReport(run, options = {}) {
  return `${[renderVerdict(run, options), renderFigures(run, options)].join('\n\n')}\n`;
}

/**
 * @param {Run} run
 * @param {Options} options
 * @returns {string} the verdict in words, what changed, how far to believe it
 */
export function renderVerdict(run, options) {
  const { comparison } = options;
  const told = comparison
    ? [renderChanges(run, comparison).join('\n'), trust(comparison).join(' ')]
    : [hintOf(run, options)];
  return [`## ${headline(run, comparison)}`, ...told].filter(Boolean).join('\n\n');
}

/**
 * @param {Run} run
 * @param {Options} options
 * @returns {string} everything below the verdict
 */
export function renderFigures(run, { comparison }) {
  const published = renderPublished(run);
  const compared = comparison && renderCompared(run, comparison);
  const tables = renderTables(run, { comparison });
  const how = howMeasured(run);
  return [
    ...(comparison ? renderTables(run, { comparison, columns: 'few' }) : tables),
    ...renderFailures(run),
    ...footnotesOf(run, comparison).texts,
    published && `**Beside the published figures**\n\n${published}`,
    comparison && folded('All figures', tables.join('\n\n')),
    compared && folded('Everything compared', compared),
    ...renderBoxes(run),
    how && folded('How it was measured', how),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * @param {Run} run
 * @returns {string[]} each case's full box, folded
 */
export function renderBoxes(run) {
  return run.cases.flatMap((of) => {
    const box = renderBox(of);
    return box === undefined ? [] : [folded(of.id, box)];
  });
}

/**
 * @param {string} title plain text
 * @param {string} markdown
 * @returns {string}
 */
export function folded(title, markdown) {
  return `<details><summary>${entities(title, 200)}</summary>\n\n${markdown}\n\n</details>`;
}
