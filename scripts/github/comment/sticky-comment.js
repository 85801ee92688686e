/**
 * One comment per pull request and key: created the first time, updated in place after that.
 * @import { Octokit } from '../api.js'
 */

import { setTimeout } from 'node:timers/promises';
import { openApi, secondMs } from '../api.js';

/** How the API answers a token that may not write: forbidden, or as if the repository did not exist. */
const DENIED = [401, 403, 404];

const ATTEMPTS = 3;

/** The author of comments that a workflow's own token writes. */
const WORKFLOWS = 'github-actions[bot]';

/** @typedef {{ owner: string, repo: string, issue_number: number }} Issue */

/**
 * @typedef {object} Comment
 * @property {(now: string | undefined) => string | undefined} write returns the new text, given the present
 *   one (undefined: there is no comment yet); undefined: no comment is created
 * @property {string} marker the first line of the text, by which the comment is found again
 * @property {string} [head] the commit that the text is about; nothing is posted once there is a newer one
 */

/**
 * denied: why there is no comment; movedTo: the pull request's head, which is no longer the measured commit
 * @typedef {{ url: string } | { denied: string, movedTo?: string }} Posted
 */

/**
 * @param {Comment & { repository: string, pullRequest: number, token: string, apiUrl: string }} comment
 * @returns {Promise<Posted>}
 * @throws where the API did not answer
 */
export async function postComment({ repository, pullRequest, token, apiUrl, ...comment }) {
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = await openApi({ token, apiUrl });
  const issue = { owner, repo, issue_number: pullRequest };
  try {
    const login = await ownLogin(octokit);
    return await upsert(octokit, issue, { ...comment, login, pauseMs: secondMs(apiUrl) });
  } catch (error) {
    const { status, message } = /** @type {Error & { status?: number }} */ (error);
    if (status === undefined) throw error;
    const why = DENIED.includes(status) ? 'the token has no permission to comment' : 'the API rejected it';
    return { denied: `${why} (${status}: ${message.split(' - ')[0]})` };
  }
}

/**
 * If the API's answer to a creation is lost, the comment may exist, so look for it before trying again. If
 * two jobs create one at the same time, the later one deletes its own and updates the earlier one. Our
 * comments are found by their author `login`; `pauseMs` is before the second attempt, longer later.
 * @type {(octokit: Octokit, issue: Issue,
 *   comment: Comment & { login: string, pauseMs: number, attempt?: number }) => Promise<Posted>}
 */
async function upsert(octokit, issue, { attempt = 1, ...comment }) {
  const { issues } = octokit.rest;
  const { owner, repo } = issue;
  const existing = await findOldest(octokit, issue, comment);
  const body = comment.write(existing?.body);
  if (body === undefined)
    return { denied: 'nothing was measured, and there is no earlier comment to update' };
  if (comment.head !== undefined) {
    const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: issue.issue_number });
    const [now, measured] = [data.head.sha, comment.head];
    const denied = `the pull request's head is now ${now.slice(0, 10)}; ${measured.slice(0, 10)} was measured`;
    if (now !== measured) return { denied, movedTo: now };
  }
  try {
    if (existing) {
      const { data } = await issues.updateComment({ owner, repo, comment_id: existing.id, body });
      return { url: data.html_url };
    }
    const { data } = await issues.createComment({ ...issue, body, request: { retries: 0 } });
    const oldest = await findOldest(octokit, issue, comment);
    if (!oldest || oldest.id >= data.id) return { url: data.html_url };
    await issues.deleteComment({ owner, repo, comment_id: data.id });
  } catch (error) {
    const { status = 0 } = /** @type {{ status?: number }} */ (error);
    if (existing || status < 500 || attempt === ATTEMPTS) throw error;
    await setTimeout(attempt * comment.pauseMs);
  }
  return upsert(octokit, issue, { ...comment, attempt: attempt + 1 });
}

/**
 * The API lists comments oldest first. A comment into which somebody else pasted our marker is not ours.
 * @type {(octokit: Octokit, issue: Issue, ours: { marker: string, login: string }) =>
 *   Promise<{ id: number, body: string } | undefined>}
 */
async function findOldest(octokit, issue, { marker, login }) {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, { ...issue, per_page: 100 });
  for await (const { data } of pages) {
    const oldest = data.find(({ body, user }) => user?.login === login && body?.startsWith(marker));
    if (oldest) return { id: oldest.id, body: oldest.body ?? '' };
  }
  return undefined;
}

/**
 * REST names the caller only to a person, GraphQL also to an app:
 * https://docs.github.com/en/graphql/reference/queries. Returns the token's login, as REST names a comment's
 * author.
 * @type {(octokit: Octokit) => Promise<string>}
 */
async function ownLogin(octokit) {
  try {
    const { viewer } = /** @type {{ viewer: { login: string } }} */ (
      await octokit.graphql('query { viewer { login } }')
    );
    return viewer.login;
  } catch (error) {
    const { status = 0, name } = /** @type {Error & { status?: number }} */ (error);
    if (name === 'GraphqlResponseError' || DENIED.includes(status)) return WORKFLOWS;
    throw error;
  }
}
