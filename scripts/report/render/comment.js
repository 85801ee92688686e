/**
 * The pull-request comment.
 * @import { Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { isSkipped } from '../../store/skipped.js';
import { chartsOf, renderMermaid } from '../charts/mermaid.js';
import { renderChanges, renderCompared } from '../document/changes.js';
import { howMeasured } from '../document/conditions.js';
import { folded, renderBoxes } from './markdown.js';
import { renderFelt } from '../document/runtime-metrics.js';
import { renderFunctions } from '../document/functions.js';
import { insightsOf } from '../document/insights.js';
import { footnotesOf, hintOf, renderFailures } from '../document/notes.js';
import { renderPublished } from '../document/published.js';
import { renderTables } from '../document/tables.js';
import { headline, trust } from '../document/headline.js';
import { wordsIn } from '../text/words.js';

/**
 * What is seen before anything is unfolded is a screen at most: cases, lines of changes, failures, footnotes.
 */
const [ROWS, LINES, FAILURES, NOTES] = [10, 8, 2, 3];

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
  const words = wordsIn(options.language ?? run.language);
  const { parts: titles } = words;
  const { names } = words.comment;
  const published = renderPublished(run, words);
  const compared = comparison && renderCompared(run, comparison, words);
  const all = [renderTables(run, words, { comparison }).join('\n\n'), compared].filter(Boolean).join('\n\n');
  const felt = renderFelt(run, words);
  const functions = renderFunctions(run, comparison, words);
  const how = howMeasured(run, words);
  const boxes = renderBoxes(run, words).join('\n\n');
  const changes = comparison ? renderChanges(run, comparison, words) : [];
  const lines = comparison?.against === 'self' ? changes.length : LINES;
  const shown = shownCases(run, comparison);
  const failures = renderFailures(run, comparison, words);
  const notes = footnotesOf(run, comparison, words).texts;
  const insights = insightsOf(run, words).map((sentence) => `- ${sentence}`);
  /** @type {Part[]} */
  const parts = [
    { name: names.changes, text: changes.slice(0, lines).join('\n') },
    { name: names.trust, text: comparison && trust(comparison, words).join(' ') },
    ...renderTables(run, words, { comparison, columns: 'few', shown: shown.ids }).map((text) => ({
      name: names.table,
      text,
    })),
    { name: names.table, text: shown.more > 0 ? words.comment.more(shown.more) : undefined },
    { name: names.functions, text: functions && `**${words.functions.title}**\n\n${functions}` },
    { name: names.hint, text: hintOf(run, options) },
    ...unlessMany(failures, FAILURES, { name: names.failure, title: titles.failures }),
    ...unlessMany(notes, NOTES, { name: names.footnotes, title: titles.notes }),
    { name: names.chart, text: chartOf(run, comparison, words) },
    {
      name: names.changes,
      text: changes.length > lines ? folded(titles.moreChanges, changes.slice(lines).join('\n')) : undefined,
    },
    {
      name: names.insights,
      text: insights.length > 0 ? folded(titles.insights, insights.join('\n')) : undefined,
    },
    { name: names.felt, text: felt && folded(titles.felt, felt.table) },
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
 * A reader sees the verdict without scrolling: of many cases those that are news, or the first.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @returns {{ ids: Set<string>, more: number }} more: how many are left to the folded tables
 */
function shownCases(run, comparison) {
  const own = run.cases.filter(({ reference }) => !reference).map(({ id }) => id);
  const same = new Set(comparison?.cases.flatMap(({ id, verdict }) => (verdict === 'same' ? id : [])));
  const news = own.filter((id) => !same.has(id));
  const ids = [...news, ...own.filter((id) => same.has(id))].slice(0, ROWS);
  return { ids: new Set(ids), more: own.length - ids.length };
}

/**
 * What changed, a table says best: it has the intervals, which bars have not. Without a comparison a chart ranks at a glance.
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string | undefined} of one table only: several charts fill the screen
 */
function chartOf(run, comparison, words) {
  const [chart, ...more] = comparison ? [] : chartsOf(run, words);
  return chart && more.length === 0 && chart.bars.length <= ROWS ? renderMermaid(chart, words) : undefined;
}

/**
 * @param {string[]} texts
 * @param {number} most so many are seen at once, more are folded
 * @param {{ name: string, title: string }} as
 * @returns {Part[]}
 */
function unlessMany(texts, most, { name, title }) {
  if (texts.length > most) return [{ name, text: folded(title, texts.join('\n\n')) }];
  return texts.map((text) => ({ name, text }));
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
 * @returns {string | undefined} as Markdown; undefined where that is no address
 */
export function linkTo(url, { comment }) {
  return url !== undefined && /^https?:\/\/[^\s<>()"'`\\]+$/.test(url)
    ? `[${comment.whole}](${url})`
    : undefined;
}
