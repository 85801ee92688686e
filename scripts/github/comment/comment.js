/** One comment a pull request and key: made the first time, updated in place after that. */

import { setTimeout } from 'node:timers/promises';
import { openApi } from '../api.js';

/** What a token that may not write is answered: forbidden, or as if the repository were not there. */
const DENIED = [401, 403, 404];

const ATTEMPTS = 3;

/** @typedef {import('../api.js').Octokit} Octokit */
/** @typedef {{ owner: string, repo: string, issue_number: number }} Issue */

/**
 * What a comment is to say, given what it says now (undefined: there is none); undefined: nothing, none is made.
 * @typedef {(now: string | undefined) => string | undefined} Write
 * marker: the body's first line, by which the comment is found again; head: the commit that the body is of, where it is
 * of one
 * @typedef {{ write: Write, marker: string, head?: string | undefined }} Comment
 * denied: why there is no comment; movedTo: the pull request's head, which is no longer the one that was measured
 * @typedef {{ url: string } | { denied: string, movedTo?: string }} Posted
 */

/** Whose comments a workflow's own token makes. */
const WORKFLOWS = 'github-actions[bot]';

/**
 * @param {Comment & { repository: string, pullRequest: number, token: string, apiUrl: string }} what
 * @returns {Promise<Posted>} denied: also where none was wanted
 */
export async function postComment({ repository, pullRequest, token, apiUrl, ...comment }) {
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = await openApi({ token, apiUrl });
  const issue = { owner, repo, issue_number: pullRequest };
  try {
    return await upsert(octokit, issue, { ...comment, login: await ownLogin(octokit) });
  } catch (error) {
    return { denied: whyDenied(error, 'comment') };
  }
}

/**
 * @param {unknown} error of a request
 * @param {string} act what was tried
 * @returns {string} why the API did not let it
 * @throws what is no answer of the API
 */
export function whyDenied(error, act) {
  const { status, message } = /** @type {Error & { status?: number }} */ (error);
  if (status === undefined) throw error;
  const why = DENIED.includes(status) ? `the token has no permission to ${act}` : 'the API rejected it';
  return `${why} (${status}: ${message.split(' - ')[0]})`;
}

/**
 * A creation whose answer was lost may have happened all the same: it is looked for before it is tried again. Of two jobs
 * that create one at the same time, the later one takes its own back and writes the earlier one's.
 * @param {Octokit} octokit
 * @param {Issue} issue
 * @param {Comment & { login: string, attempt?: number }} comment login: whose comments are ours
 * @returns {Promise<Posted>}
 */
async function upsert(octokit, issue, { attempt = 1, ...comment }) {
  const { owner, repo } = issue;
  const own = await findOldest(octokit, issue, comment);
  const body = comment.write(own?.body);
  if (body === undefined)
    return { denied: 'nothing was measured, and there is no earlier comment to update' };
  const moved = await findMove(octokit, issue, comment.head);
  if (moved) return moved;
  try {
    if (own) {
      const { data } = await octokit.rest.issues.updateComment({ owner, repo, comment_id: own.id, body });
      return { url: data.html_url };
    }
    const { data } = await octokit.rest.issues.createComment({ ...issue, body, request: { retries: 0 } });
    const oldest = await findOldest(octokit, issue, comment);
    if (!oldest || oldest.id >= data.id) return { url: data.html_url };
    await octokit.rest.issues.deleteComment({ owner, repo, comment_id: data.id });
  } catch (error) {
    const { status = 0 } = /** @type {{ status?: number }} */ (error);
    if (own || status < 500 || attempt === ATTEMPTS) throw error;
    await setTimeout(attempt * 1000);
  }
  return upsert(octokit, issue, { ...comment, attempt: attempt + 1 });
}

/**
 * @param {Octokit} octokit
 * @param {Issue} issue
 * @param {string | undefined} head
 * @returns {Promise<{ denied: string, movedTo: string } | undefined>} undefined: the pull request is still at that commit
 */
async function findMove(octokit, { owner, repo, issue_number }, head) {
  if (head === undefined) return undefined;
  const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: issue_number });
  const now = data.head.sha;
  if (now === head) return undefined;
  const denied = `the pull request's head is now ${now.slice(0, 10)}; ${head.slice(0, 10)} was measured`;
  return { denied, movedTo: now };
}

/**
 * Comments are listed by their number, the first one first.
 * @param {Octokit} octokit
 * @param {Issue} issue
 * @param {{ marker: string, login: string }} ours
 * @returns {Promise<{ id: number, body: string } | undefined>} a comment somebody else pasted our marker into is not ours
 */
async function findOldest(octokit, issue, { marker, login }) {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, { ...issue, per_page: 100 });
  for await (const { data } of pages) {
    const own = data.find(({ body, user }) => user?.login === login && body?.startsWith(marker));
    if (own) return { id: own.id, body: own.body ?? '' };
  }
  return undefined;
}

/**
 * REST tells who is asking to a person only; GraphQL tells an app too: https://docs.github.com/en/graphql/reference/queries
 * @param {Octokit} octokit
 * @returns {Promise<string>} as REST names a comment's author
 */
export async function ownLogin(octokit) {
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
