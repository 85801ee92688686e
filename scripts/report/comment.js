/**
 * The pull-request comment.
 * @import { Comparison, Run } from '../types.js'
 */

import { boxes, folded, howMeasured } from './markdown.js';
import { renderPublished } from './published.js';
import { renderShortTables, renderTables } from './tables.js';
import { changes, failures, footnotes, headline, trust } from './words.js';

/** GitHub refuses a longer body. */
const LIMIT = 65_536;

/**
 * @param {string} key tells several comments of one pull request apart
 * @returns {string} the hidden line by which a comment is found again
 */
export function marker(key) {
  return `<!-- perf-action:${key.replace(/[^\w.-]/g, '_')} -->`;
}

/**
 * @param {Run} run
 * @param {{ comparison?: Comparison, key: string, limit?: number, baselineHint?: string }} options limit: in characters
 * @returns {string} what does not fit is left out by whole parts, the last first, and that is said
 */
export function renderComment(run, { comparison, key, limit = LIMIT, baselineHint }) {
  const head = [
    marker(key),
    `### ${headline(run, comparison)}`,
    ...(comparison ? [changes(run, comparison).join('\n'), trust(comparison).join(' ')] : []),
  ];
  const published = renderPublished(run);
  const parts = [
    ...renderShortTables(run, { comparison }),
    ...(comparison ? [] : [baselineHint ?? '']),
    ...failures(run),
    footnotes(run).join('\n\n'),
    chart(run),
    folded('All figures', renderTables(run, { comparison }).join('\n\n')),
    ...(published === undefined ? [] : [folded('Beside the published figures', published)]),
    folded('How it was measured', howMeasured(run)),
    ...(boxes(run).length > 0 ? [folded('Full boxes', boxes(run).join('\n\n'))] : []),
  ].filter(Boolean);
  return fit(head.filter(Boolean), parts, limit);
}

/**
 * @param {string[]} head
 * @param {string[]} parts
 * @param {number} limit
 */
function fit(head, parts, limit) {
  for (let kept = parts.length; kept >= 0; kept--) {
    const left = parts.length - kept;
    const note =
      left > 0
        ? [`_${left} parts did not fit into a comment; the job summary and report.md have them._`]
        : [];
    const body = [...head, ...parts.slice(0, kept), ...note].join('\n\n');
    if (body.length <= limit) return body;
  }
  return [
    head[0],
    head[1],
    '_Nothing more fits into a comment; the job summary and report.md have it._',
  ].join('\n\n');
}

/**
 * A Mermaid chart, which GitHub draws. One case a bar; a client's limit is no figure of the server and has none.
 * @param {Run} run
 */
function chart(run) {
  const shown = run.cases
    .flatMap(({ serverName, id, summary }) =>
      summary && !summary.clientBound ? [{ serverName, id, summary }] : [],
    )
    .toSorted((a, b) => b.summary.throughput - a.summary.throughput);
  if (shown.length < 2) return '';
  const unique = new Set(shown.map(({ serverName }) => serverName)).size === shown.length;
  const labels = shown.map(
    ({ serverName, id }) => `"${(unique ? serverName : id).replace(/[^\w .:()/-]/g, '')}"`,
  );
  const values = shown.map(({ summary }) => Math.round(summary.throughput));
  return [
    '```mermaid',
    'xychart-beta horizontal',
    '  title "Requests a second"',
    `  x-axis [${labels.join(', ')}]`,
    `  y-axis 0 --> ${Math.ceil(Math.max(...values) * 1.05)}`,
    `  bar [${values.join(', ')}]`,
    '```',
  ].join('\n');
}
