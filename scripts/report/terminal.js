/**
 * The report for a terminal: verdict, tables, what went wrong. Beside a comparison the tables are as wide as a terminal;
 * report.md has the whole.
 * @import { Comparison, Run } from '../types.js'
 */

import { renderChanges } from './compared.js';
import { measuredWith } from './conditions.js';
import { unescaped } from './escape.js';
import { renderFelt } from './felt.js';
import { insightsOf } from './insights.js';
import { renderInstances } from './instances.js';
import { footnotesOf, hintOf, listFailures } from './notes.js';
import { renderPublished } from './published.js';
import { renderTables } from './tables.js';
import { headline, trust } from './verdict.js';
import { wordsIn } from './words.js';

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison, baselineHint?: string, language?: string }} options
 * @returns {string}
 */
export function renderTerminal(run, options) {
  const { comparison } = options;
  const words = wordsIn(options.language);
  const felt = renderFelt(run, words);
  const instances = renderInstances(run, words);
  const parts = [
    unescaped(headline(run, comparison, words)),
    ...(comparison ? [renderChanges(run, comparison, words), trust(comparison, words)].map(plain) : []),
    ...renderTables(run, words, { comparison, columns: comparison ? 'few' : 'all', brief: true }).map(
      unescaped,
    ),
    felt?.standsOut ? `${words.parts.felt}\n\n${unescaped(felt.table)}` : '',
    instances === undefined ? '' : `${words.parts.instances}\n\n${unescaped(instances)}`,
    unescaped(insightsOf(run, words).join('\n')),
    unescaped(renderPublished(run, words) ?? ''),
    ...listFailures(run, words),
    ...footnotesOf(run, comparison, words).texts.map(unescaped),
    run.cases.length > 0 ? plain(measuredWith(run, words)) : '',
    hintOf(run, options),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** @param {string[]} lines */
function plain(lines) {
  return unescaped(lines.join('\n'));
}
