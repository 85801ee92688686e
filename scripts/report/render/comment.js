/**
 * The pull-request comment: the report on one screen, with the rest folded, no longer than GitHub allows.
 * @import { Run } from '../../types.js'
 * @import { Options } from '../document/document.js'
 */

import { isSkipped } from '../../store/skipped.js';
import { documentOf } from '../document/document.js';
import { onOneScreen } from './one-screen.js';
import { COMMIT } from '../text/inline.js';
import { wordsIn } from '../text/words.js';
import { inMarkdown } from './escape.js';
import { partMarkdown } from './markdown.js';

/** GitHub refuses a longer body. */
const LIMIT = 65_536;

/**
 * @typedef {object} CommentOptions
 * @property {string} key tells several comments of one pull request apart
 * @property {number} [limit] in characters
 * @property {string} [reportUrl] where the whole report can be read
 * @property {string} [origin] where the figures come from, as Markdown
 * @property {string} [accepted] who accepted a regression
 * @property {string} [commit] the one of the figures; of a skipped run, those of the comment before
 */

/** The hidden line by which the comment of a key is found again. @type {(key: string) => string} */
export function marker(key) {
  return `<!-- perf-action:${key.replace(/[^\w.-]/g, '_')} -->`;
}

/** The commit of a comment's figures, where it says so. @type {(body: string) => string | undefined} */
export function commitOf(body) {
  return /^<!-- of ([0-9a-f]+) -->$/m.exec(body)?.[1];
}

/** @type {(run: Run, options: Options & CommentOptions) => string} */
export function renderComment(run, options) {
  const { key, limit = LIMIT, reportUrl, origin, accepted, commit } = options;
  const words = wordsIn(run.language);
  const { comment } = words;
  const { headline, parts } = onOneScreen(documentOf(run, options), words);
  const mark = commit !== undefined && COMMIT.test(commit) ? [`<!-- of ${commit} -->`] : [];
  const top = [
    [marker(key), ...mark].join('\n'),
    `### ${inMarkdown(headline)}`,
    accepted && inMarkdown(accepted),
    origin,
    isSkipped(run) && commit !== undefined && comment.before(commit.slice(0, 10)),
  ].flatMap((line) => line || []);
  const isAddress = reportUrl !== undefined && /^https?:\/\/[^\s<>()"'`\\]+$/.test(reportUrl);
  const link = isAddress ? `[${comment.whole}](${reportUrl})` : undefined;
  const elsewhere = link ?? comment.elsewhere;
  const texts = parts.map(partMarkdown);
  // Parts are kept whole; the last go first, and a note names them.
  for (let kept = parts.length; kept >= 0; kept--) {
    const names = [...new Set(parts.slice(kept).map(({ name }) => name))];
    const note = names.length > 0 ? [`${comment.leftOut(names)} ${elsewhere}`] : link ? [link] : [];
    const body = [...top, ...texts.slice(0, kept), ...note].filter(Boolean).join('\n\n');
    if (body.length <= limit) return body;
  }
  return [...top, `${comment.nothingFits} ${elsewhere}`].join('\n\n');
}
