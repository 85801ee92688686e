/**
 * The issue that a regression of the main branch opens: the comment's report, and what it was like so far, which is kept in it.
 * @import { Comparison, Run } from '../types.js'
 */

import { marker, renderComment } from './comment.js';
import { clipped, shortSha, unescaped } from './escape.js';
import { headline } from './verdict.js';
import { wordsIn } from './words.js';

/** GitHub refuses longer ones. */
const LONGEST_TITLE = 256;
const LONGEST_BODY = 65_536;

/** slower: as the last run found it; since: the commit at which it was found first. @typedef {{ slower: boolean, since: string }} IssueState */

const STATE = /\n<!-- (slower|recovered) since ([0-9a-f]{7,64}) -->$/;

/**
 * @param {string} key
 * @returns {string} the hidden line by which the issue is found again
 */
export const issueMarker = (key) => marker(`${key}.issue`);

/**
 * @param {string} body of an issue of ours
 * @returns {IssueState | undefined} undefined where somebody has rewritten it
 */
export function stateIn(body) {
  const [, is, since = ''] = STATE.exec(body.replaceAll('\r', '').trimEnd()) ?? [];
  return is === undefined ? undefined : { slower: is === 'slower', since };
}

/**
 * @param {Run} run
 * @param {{ comparison: Comparison, key: string, state: IssueState, reportUrl?: string | undefined }} told
 * @returns {{ title: string, body: string }}
 */
export function renderIssue(run, { comparison, key, state, reportUrl }) {
  const words = wordsIn(run.language);
  const { sha } = run.revision;
  const end = `\n\n<!-- ${state.slower ? 'slower' : 'recovered'} since ${state.since} -->`;
  const body = renderComment(run, {
    ...{ comparison, key: `${key}.issue`, limit: LONGEST_BODY - end.length },
    origin: `_${words.issue.since(shortSha(state.since))}_`,
    ...(reportUrl && { reportUrl }),
    ...(sha !== undefined && { commit: sha }),
  });
  const title = `perf: ${unescaped(headline(run, comparison, words))}`;
  return { title: clipped(title, LONGEST_TITLE - 1), body: `${body}${end}` };
}

/**
 * What those hear who follow the issue.
 * @param {Run} run
 * @param {'again' | 'recovered' | 'confirmed'} news confirmed: as slow as before, but so are the runs it is compared with
 * @returns {string} as Markdown
 */
export function renderNews(run, news) {
  return wordsIn(run.language).issue[news](shortSha(run.revision.sha ?? run.startedAt));
}
