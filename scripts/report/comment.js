/**
 * The pull-request comment.
 * @import { Comparison, Run } from '../types.js'
 */

import { isSkipped } from '../store/skipped.js';
import { chartsOf, renderMermaid } from './charts.js';
import { renderChanges, renderCompared } from './compared.js';
import { howMeasured } from './conditions.js';
import { folded, renderBoxes } from './markdown.js';
import { footnotesOf, hintOf, renderFailures } from './notes.js';
import { renderPublished } from './published.js';
import { renderTables } from './tables.js';
import { headline, trust } from './verdict.js';

/** GitHub refuses a longer body. */
const LIMIT = 65_536;
const SHA = /^[0-9a-f]{7,64}$/;

/**
 * A part is kept whole or left out; then the note calls it by its name.
 * @typedef {{ name: string, text: string | undefined }} Part
 * limit: in characters. accepted: who wants it so, as Markdown. reportUrl: where the whole report can be read. origin: where the figures come from, as Markdown.
 * commit: which one the figures are of; of a run that was skipped, those that stood there before
 * @typedef {{ comparison?: Comparison, key: string, limit?: number, baselineHint?: string, reportUrl?: string,
 *   origin?: string, accepted?: string, commit?: string }} Options
 */

/**
 * @param {string} key tells several comments of one pull request apart
 * @returns {string} the hidden line by which a comment is found again
 */
export function marker(key) {
  return `<!-- perf-action:${key.replace(/[^\w.-]/g, '_')} -->`;
}

/**
 * @param {string} body a comment of ours
 * @returns {string | undefined} the commit that its figures are of, where it tells
 */
export function commitOf(body) {
  return /^<!-- of ([0-9a-f]+) -->$/m.exec(body)?.[1];
}

/**
 * @param {Run} run
 * @param {Options} options
 * @returns {string} what does not fit is left out by whole parts, the last first, and that is said
 */
export function renderComment(run, options) {
  const { comparison, key, limit = LIMIT, reportUrl, origin, accepted, commit } = options;
  const published = renderPublished(run);
  const compared = comparison && renderCompared(run, comparison);
  const charts = chartsOf(run).map(renderMermaid).join('\n\n');
  const all = [renderTables(run, { comparison }).join('\n\n'), compared].filter(Boolean).join('\n\n');
  const how = howMeasured(run);
  const boxes = renderBoxes(run).join('\n\n');
  /** @type {Part[]} */
  const parts = [
    { name: 'what changed', text: comparison && renderChanges(run, comparison).join('\n') },
    { name: 'how far to believe it', text: comparison && trust(comparison).join(' ') },
    ...renderTables(run, { comparison, columns: 'few' }).map((text) => ({ name: 'a table', text })),
    { name: 'how a baseline is made', text: hintOf(run, options) },
    ...renderFailures(run).map((text) => ({ name: 'a failure', text })),
    { name: 'the footnotes', text: footnotesOf(run, comparison).texts.join('\n\n') },
    { name: 'the chart', text: charts },
    { name: 'all figures', text: all && folded('All figures', all) },
    { name: 'the published figures', text: published && folded('Beside the published figures', published) },
    { name: 'how it was measured', text: how && folded('How it was measured', how) },
    { name: 'the full boxes', text: boxes && folded('Full boxes', boxes) },
  ];
  const told = [accepted, origin, isSkipped(run) ? before(commit) : undefined];
  const hidden = [
    marker(key),
    commit !== undefined && SHA.test(commit) ? `<!-- of ${commit} -->` : undefined,
  ];
  const head = [hidden.filter(Boolean).join('\n'), `### ${headline(run, comparison)}`, ...told].filter(
    (text) => text !== undefined,
  );
  return fit(
    head,
    parts.filter(({ text }) => text),
    { limit, link: linkTo(reportUrl) },
  );
}

/** @param {string | undefined} commit */
function before(commit) {
  return commit === undefined
    ? undefined
    : `The result that stood here was of commit ${commit.slice(0, 10)}.`;
}

/**
 * @param {string[]} head
 * @param {Part[]} parts
 * @param {{ limit: number, link: string | undefined }} bounds
 */
function fit(head, parts, { limit, link }) {
  for (let kept = parts.length; kept >= 0; kept--) {
    const names = [...new Set(parts.slice(kept).map(({ name }) => name))];
    const note = names.length > 0 ? `_Left out for its length: ${names.join(', ')}._ ${place(link)}` : link;
    const texts = [...head, ...parts.slice(0, kept).map(({ text }) => text), ...(note ? [note] : [])];
    const body = texts.join('\n\n');
    if (body.length <= limit) return body;
  }
  return [...head, `_Nothing more fits into a comment._ ${place(link)}`].join('\n\n');
}

/** @param {string | undefined} link */
function place(link) {
  return link ?? '_The job summary and report.md in the results have it._';
}

/** @param {string | undefined} url */
function linkTo(url) {
  return url !== undefined && /^https?:\/\/[^\s<>()"'`\\]+$/.test(url)
    ? `[The whole report](${url})`
    : undefined;
}
