/**
 * One issue for what got slower on the main branch: opened when it did, updated by later runs, closed by people.
 * @import { Comparison, Run } from '../types.js'
 * @import { IssueState } from '../report/issue.js'
 * @import { Octokit } from './api.js'
 */

import { issueMarker, renderIssue, renderNews, stateIn } from '../report/issue.js';
import { openApi } from './api.js';
import { ownLogin, whyDenied } from './comment.js';
import { isOfMain, readEvent } from './event.js';
import { notice } from './say.js';

/** It is among the issues that were updated last, since every run that finds something updates it. */
const MOST_PAGES = 10;

/** @typedef {{ owner: string, repo: string }} Repository */
/** createdAt: of ISO 8601. @typedef {{ number: number, isOpen: boolean, createdAt: string, url: string, state: IssueState }} Issue */

/**
 * @param {{ run: Run, comparison?: Comparison }} results
 * @param {{ key: string, env: NodeJS.ProcessEnv, reportUrl?: string | undefined }} context
 * @returns {Promise<Record<string, string>>} issue-url: of the one that was opened or updated
 */
export async function tellIssue({ run, comparison }, { key, env, reportUrl }) {
  const { repository = '', apiUrl } = readEvent(env);
  const [owner = '', repo = ''] = repository.split('/');
  const token = env.PERF_GITHUB_TOKEN || env.GITHUB_TOKEN;
  if (!comparison || !isOfMain(env) || !token) return {};
  const octokit = await openApi({ token, apiUrl });
  try {
    const issue = await findLast(octokit, { owner, repo, marker: issueMarker(key) });
    const next = nextOf(comparison, issue);
    if (!next) return {};
    const here = run.revision.sha ?? env.GITHUB_SHA ?? '';
    const since = issue?.state.slower ? issue.state.since : here;
    const state = { slower: next.slower, since };
    const { title, body } = renderIssue(run, { comparison, key, state, reportUrl });
    if (!issue || next.isNew) {
      const { data } = await octokit.rest.issues.create({
        owner,
        repo,
        title,
        body,
        request: { retries: 0 },
      });
      return { 'issue-url': data.html_url };
    }
    const place = { owner, repo, issue_number: issue.number };
    await octokit.rest.issues.update({ ...place, body });
    if (next.news && issue.isOpen)
      await octokit.rest.issues.createComment({
        ...{ ...place, body: renderNews(run, next.news) },
        request: { retries: 0 },
      });
    return { 'issue-url': issue.url };
  } catch (error) {
    notice(`No issue was written; the results are in the job summary: ${whyDenied(error, 'write issues')}`);
    return {};
  }
}

/**
 * Whoever closes the issue has seen it: while it goes on, it is neither opened again nor joined by another one.
 * @param {Comparison} comparison
 * @param {Issue | undefined} issue
 * @returns {{ slower: boolean, isNew?: true, news?: Parameters<typeof renderNews>[1] } | undefined} undefined: nothing to tell
 */
function nextOf({ verdict, base, cases }, issue) {
  const wasSlower = issue?.state.slower ?? false;
  // Also where another server could not be measured, which is the worse verdict of the whole.
  if (cases.some((of) => of.verdict === 'regressed')) {
    if (!issue || (!issue.isOpen && !wasSlower)) return { slower: true, isNew: true };
    return { slower: true, ...(!wasSlower && { news: 'again' }) };
  }
  // What could not be measured or told apart is no news of it.
  if (!issue || !wasSlower || !['same', 'improved'].includes(verdict)) return undefined;
  return { slower: false, news: base.startedAt > issue.createdAt ? 'confirmed' : 'recovered' };
}

/**
 * @param {Octokit} octokit
 * @param {Repository & { marker: string }} which
 * @returns {Promise<Issue | undefined>} the newest one of ours
 */
async function findLast(octokit, { owner, repo, marker }) {
  const login = await ownLogin(octokit);
  const order = { sort: /** @type {const} */ ('updated'), direction: /** @type {const} */ ('desc') };
  const pages = octokit.paginate.iterator(octokit.rest.issues.listForRepo, {
    ...{ owner, repo, ...order, state: /** @type {const} */ ('all'), per_page: 100 },
  });
  /** @type {Issue[]} */
  const own = [];
  let read = 0;
  for await (const { data } of pages) {
    for (const { number, state, created_at: createdAt, html_url: url, body, user, pull_request } of data) {
      const known =
        pull_request || user?.login !== login || !body?.startsWith(marker) ? undefined : stateIn(body);
      if (known) own.push({ number, isOpen: state === 'open', createdAt, url, state: known });
    }
    read += 1;
    if (own.length > 0 || read === MOST_PAGES) break;
  }
  return own.sort((a, b) => b.number - a.number)[0];
}
