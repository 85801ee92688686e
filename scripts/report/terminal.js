/**
 * The report for a terminal: verdict, tables, what went wrong.
 * @import { Comparison, Run } from '../types.js'
 */

import { renderPublished } from './published.js';
import { renderTables } from './tables.js';
import { changes, failures, footnotes, headline, measuredWith, trust } from './words.js';

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison, baselineHint?: string }} options
 * @returns {string}
 */
export function renderTerminal(run, { comparison, baselineHint }) {
  const parts = [
    headline(run, comparison),
    ...(comparison ? [changes(run, comparison).join('\n'), trust(comparison).join('\n')] : []),
    ...renderTables(run, { comparison }),
    renderPublished(run),
    ...failures(run),
    ...footnotes(run),
    measuredWith(run).join('\n'),
    comparison ? '' : baselineHint,
  ];
  return `${plain(parts.filter(Boolean).join('\n\n'))}\n`;
}

/**
 * A terminal shows marks and escapes as they are, so they go.
 * @param {string} markdown
 */
function plain(markdown) {
  return markdown
    .replaceAll('**', '')
    .replace(/\\([\\`*_[\]|~#])/g, '$1')
    .replaceAll('&#47;', '/')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('\u200b', '');
}
