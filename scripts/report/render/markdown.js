/**
 * The whole report as Markdown: the verdict first, how to repeat it last.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { renderBox } from '../document/boxes.js';
import { renderChanges, renderCompared } from '../document/changes.js';
import { howMeasured } from '../document/conditions.js';
import { entities } from './escape.js';
import { nameOf } from '../document/table-rows.js';
import { renderFelt } from '../document/runtime-metrics.js';
import { renderFunctions } from '../document/functions.js';
import { insightsOf } from '../document/insights.js';
import { renderInstances } from '../document/instances.js';
import { footnotesOf, hintOf, renderFailures } from '../document/notes.js';
import { renderPublished } from '../document/published.js';
import { renderTables } from '../document/tables.js';
import { headline, trust } from '../document/headline.js';
import { wordsIn } from '../text/words.js';

/** baselineHint: how a baseline is made, told where there is none. @typedef {{ comparison?: Comparison, baselineHint?: string, language?: string }} Options */

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
function renderVerdict(run, options) {
  const { comparison } = options;
  const words = wordsIn(options.language ?? run.language);
  const told = comparison
    ? [renderChanges(run, comparison, words).join('\n'), trust(comparison, words).join(' ')]
    : [hintOf(run, options)];
  return [`## ${headline(run, comparison, words)}`, ...told].filter(Boolean).join('\n\n');
}

/**
 * @param {Run} run
 * @param {Options} options
 * @returns {string} everything below the verdict
 */
export function renderFigures(run, { comparison, language }) {
  const words = wordsIn(language ?? run.language);
  const { parts } = words;
  const published = renderPublished(run, words);
  const felt = renderFelt(run, words);
  const instances = renderInstances(run, words);
  const insights = insightsOf(run, words).map((sentence) => `- ${sentence}`);
  const compared = comparison && renderCompared(run, comparison, words);
  const tables = renderTables(run, words, { comparison });
  const functions = renderFunctions(run, comparison, words);
  const how = howMeasured(run, words);
  return [
    ...(comparison ? renderTables(run, words, { comparison, columns: 'few' }) : tables),
    functions && `**${words.functions.title}**\n\n${functions}`,
    ...renderFailures(run, comparison, words),
    ...footnotesOf(run, comparison, words).texts,
    felt && (felt.standsOut ? `**${parts.felt}**\n\n${felt.table}` : folded(parts.felt, felt.table)),
    instances && `**${parts.instances}**\n\n${instances}`,
    insights.length > 0 && `**${parts.insights}**\n\n${insights.join('\n')}`,
    published && `**${parts.published}**\n\n${published}`,
    comparison && folded(parts.allFigures, tables.join('\n\n')),
    compared && folded(parts.everythingCompared, compared),
    ...renderBoxes(run, words),
    how && folded(parts.howMeasured, how),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string[]} each case's full box, folded
 */
export function renderBoxes(run, words) {
  return run.cases.flatMap((of) => {
    const box = renderBox(of, words);
    return box === undefined ? [] : [folded(nameOf(run, of.id, words), box)];
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
