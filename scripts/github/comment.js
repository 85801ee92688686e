/** One comment a pull request and key: made the first time, updated in place after that. */

import { setTimeout } from 'node:timers/promises';
import { openApi } from './api.js';

/** What a token that may not write is answered: forbidden, or as if the repository were not there. */
const DENIED = [401, 403, 404];

const ATTEMPTS = 3;

/** @typedef {import('./api.js').Octokit} Octokit */
/** @typedef {{ owner: string, repo: string, issue_number: number }} Issue */

/**
 * What a comment is to say, given what it says now (undefined: there is none); undefined: nothing, none is made.
 * @typedef {(now: string | undefined) => string | undefined} Write
 */

/**
 * @param {{ write: Write, marker: string, repository: string, pullRequest: number, token: string, apiUrl: string }} what
 *   marker: the body's first line, by which the comment is found again
 * @returns {Promise<{ url: string } | { denied: string }>} denied: why the API did not take it, after retries; or that
 *   none was wanted
 */
export async function postComment({ write, marker, repository, pullRequest, token, apiUrl }) {
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = openApi({ token, apiUrl });
  const issue = { owner, repo, issue_number: pullRequest };
  try {
    const url = await upsert(octokit, issue, { write, marker });
    return url === undefined
      ? { denied: 'nothing was measured, and there is no earlier comment to update' }
      : { url };
  } catch (error) {
    const { status, message } = /** @type {Error & { status?: number }} */ (error);
    if (status === undefined) throw error;
    const why = DENIED.includes(status)
      ? 'the token has no permission to comment'
      : 'the API rejected the comment';
    return { denied: `${why} (${status}: ${message.split(' - ')[0]})` };
  }
}

/**
 * A creation whose answer was lost may have happened all the same: it is looked for before it is tried again.
 * @param {Octokit} octokit
 * @param {Issue} issue
 * @param {{ write: Write, marker: string, attempt?: number }} comment
 * @returns {Promise<string | undefined>} the comment's address; undefined: there is none, and none is wanted
 */
async function upsert(octokit, issue, { write, marker, attempt = 1 }) {
  const { owner, repo } = issue;
  const own = await findOwn(octokit, issue, marker);
  const body = write(own?.body);
  if (body === undefined) return undefined;
  try {
    const { data } = own
      ? await octokit.rest.issues.updateComment({ owner, repo, comment_id: own.id, body })
      : await octokit.rest.issues.createComment({ ...issue, body, request: { retries: 0 } });
    return data.html_url;
  } catch (error) {
    const { status = 0 } = /** @type {{ status?: number }} */ (error);
    if (own || status < 500 || attempt === ATTEMPTS) throw error;
    await setTimeout(attempt * 1000);
    return upsert(octokit, issue, { write, marker, attempt: attempt + 1 });
  }
}

/**
 * @param {Octokit} octokit
 * @param {Issue} issue
 * @param {string} marker
 * @returns {Promise<{ id: number, body: string } | undefined>} a comment somebody else pasted our marker into is not ours
 */
async function findOwn(octokit, issue, marker) {
  const login = await ownLogin(octokit);
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, { ...issue, per_page: 100 });
  for await (const { data } of pages) {
    const own = data.find(
      ({ body, user }) =>
        body?.startsWith(marker) && (login === undefined ? user?.type === 'Bot' : user?.login === login),
    );
    if (own) return { id: own.id, body: own.body ?? '' };
  }
  return undefined;
}

/**
 * @param {Octokit} octokit
 * @returns {Promise<string | undefined>} undefined for a workflow's own token, which is no user but a bot
 */
async function ownLogin(octokit) {
  try {
    return (await octokit.rest.users.getAuthenticated()).data.login;
  } catch (error) {
    if (DENIED.includes(/** @type {{ status?: number }} */ (error).status ?? 0)) return undefined;
    throw error;
  }
}
