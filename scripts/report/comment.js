/**
 * The pull-request comment.
 * @import { Comparison, Run } from '../types.js'
 * @import { Words } from './words.js'
 */

import { isSkipped } from '../store/skipped.js';
import { chartsOf, renderMermaid } from './charts.js';
import { renderChanges, renderCompared } from './compared.js';
import { howMeasured } from './conditions.js';
import { folded, renderBoxes } from './markdown.js';
import { renderFelt } from './felt.js';
import { insightsOf } from './insights.js';
import { footnotesOf, hintOf, renderFailures } from './notes.js';
import { renderPublished } from './published.js';
import { renderTables } from './tables.js';
import { headline, trust } from './verdict.js';
import { wordsIn } from './words.js';

/** GitHub refuses a longer body. */
const LIMIT = 65_536;
const SHA = /^[0-9a-f]{7,64}$/;

/**
 * A part is kept whole or left out; then the note calls it by its name.
 * @typedef {{ name: string, text: string | undefined }} Part
 * limit: in characters. accepted: who wants it so, as Markdown. reportUrl: where the whole report can be read. origin: where the figures come from, as Markdown.
 * commit: which one the figures are of; of a run that was skipped, those that stood there before
 * @typedef {{ comparison?: Comparison, key: string, limit?: number, baselineHint?: string, reportUrl?: string,
 *   origin?: string, accepted?: string, commit?: string, language?: string }} Options
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
  const words = wordsIn(options.language);
  const { parts: titles } = words;
  const { names } = words.comment;
  const published = renderPublished(run, words);
  const compared = comparison && renderCompared(run, comparison, words);
  const charts = chartsOf(run, words)
    .map((chart) => renderMermaid(chart, words))
    .join('\n\n');
  const all = [renderTables(run, words, { comparison }).join('\n\n'), compared].filter(Boolean).join('\n\n');
  const felt = renderFelt(run, words);
  const how = howMeasured(run, words);
  const boxes = renderBoxes(run, words).join('\n\n');
  /** @type {Part[]} */
  const parts = [
    { name: names.changes, text: comparison && renderChanges(run, comparison, words).join('\n') },
    { name: names.trust, text: comparison && trust(comparison, words).join(' ') },
    ...renderTables(run, words, { comparison, columns: 'few' }).map((text) => ({
      name: names.table,
      text,
    })),
    { name: names.hint, text: hintOf(run, options) },
    ...renderFailures(run, words).map((text) => ({ name: names.failure, text })),
    { name: names.footnotes, text: footnotesOf(run, comparison, words).texts.join('\n\n') },
    {
      name: names.insights,
      text: insightsOf(run, words)
        .map((sentence) => `- ${sentence}`)
        .join('\n'),
    },
    { name: names.felt, text: felt && folded(titles.felt, felt.table) },
    { name: names.chart, text: charts },
    { name: names.figures, text: all && folded(titles.allFigures, all) },
    { name: names.published, text: published && folded(titles.published, published) },
    { name: names.how, text: how && folded(titles.howMeasured, how) },
    { name: names.boxes, text: boxes && folded(titles.boxes, boxes) },
  ];
  const told = [
    accepted,
    origin,
    isSkipped(run) && commit !== undefined ? words.comment.before(commit.slice(0, 10)) : undefined,
  ];
  const hidden = [
    marker(key),
    commit !== undefined && SHA.test(commit) ? `<!-- of ${commit} -->` : undefined,
  ];
  const head = [hidden.filter(Boolean).join('\n'), `### ${headline(run, comparison, words)}`, ...told].filter(
    (text) => text !== undefined,
  );
  return fit(
    head,
    parts.filter(({ text }) => text),
    { limit, link: linkTo(reportUrl, words), words },
  );
}

/**
 * @param {string[]} head
 * @param {Part[]} parts
 * @param {{ limit: number, link: string | undefined, words: Words }} bounds
 */
function fit(head, parts, { limit, link, words: { comment } }) {
  const elsewhere = link ?? comment.elsewhere;
  for (let kept = parts.length; kept >= 0; kept--) {
    const names = [...new Set(parts.slice(kept).map(({ name }) => name))];
    const note = names.length > 0 ? `${comment.leftOut(names)} ${elsewhere}` : link;
    const texts = [...head, ...parts.slice(0, kept).map(({ text }) => text), ...(note ? [note] : [])];
    const body = texts.join('\n\n');
    if (body.length <= limit) return body;
  }
  return [...head, `${comment.nothingFits} ${elsewhere}`].join('\n\n');
}

/**
 * @param {string | undefined} url
 * @param {Words} words
 */
function linkTo(url, { comment }) {
  return url !== undefined && /^https?:\/\/[^\s<>()"'`\\]+$/.test(url)
    ? `[${comment.whole}](${url})`
    : undefined;
}
