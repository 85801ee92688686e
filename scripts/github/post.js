/** Brings a result folder to its readers: the job summary always, the pull request where it may be written to. */

import { appendFile } from 'node:fs/promises';
import { notice } from '@actions/core';
import { marker, renderComment } from '../report/comment.js';
import { postComment } from './comment.js';
import { readEvent } from './event.js';
import { readResults } from './results.js';

/** What a step's summary may hold: 1 MiB, at no more than three bytes a character. */
const SUMMARY_LIMIT = Math.floor(2 ** 20 / 3);

const HINT =
  'Measured alone: with `against: base` it is measured beside what it would be merged into, and the two are compared.';

/**
 * dir: absolute, holds run.json; pullRequest: the event's where absent; reportUrl: where the whole report can be read;
 * origin: where the figures come from, accepted: who wants them so, both as Markdown
 * @typedef {{ dir: string, key: string, env: NodeJS.ProcessEnv, pullRequest?: number, reportUrl?: string | undefined,
 *   origin?: string, accepted?: string | undefined }} Results
 */

/**
 * @param {Results} results
 * @returns {Promise<{ url: string } | { denied: string }>} denied: why there is no comment, which a notice tells as well
 * @throws {import('../errors.js').UserError} where the folder holds no readable run
 */
export async function postResults(results) {
  await writeSummary(results);
  return post({ ...results, body: await render(results) });
}

/**
 * @param {{ text: string, key: string, env: NodeJS.ProcessEnv, pullRequest: number }} what text: Markdown
 * @returns {Promise<{ url: string } | { denied: string }>}
 */
export function postText({ text, key, ...where }) {
  return post({ ...where, key, body: `${marker(key)}\n\n${text}` });
}

/**
 * @param {{ body: string, key: string, env: NodeJS.ProcessEnv, pullRequest?: number }} comment
 * @returns {Promise<{ url: string } | { denied: string }>}
 */
async function post({ body, key, env, pullRequest }) {
  const posted = await tryPost({ body, key, env, ...(pullRequest !== undefined && { pullRequest }) });
  if ('denied' in posted && env.GITHUB_ACTIONS === 'true')
    notice(`The results are in the job summary, there is no comment: ${posted.denied}`);
  return posted;
}

/**
 * @param {Parameters<typeof post>[0]} comment
 * @returns {Promise<{ url: string } | { denied: string }>}
 */
async function tryPost({ body, key, env, pullRequest: told }) {
  const { repository, pullRequest = told, apiUrl } = readEvent(env);
  const token = env.PERF_GITHUB_TOKEN || env.GITHUB_TOKEN;
  if (!repository) return { denied: 'this is no job of a repository (GITHUB_REPOSITORY is not set)' };
  if (pullRequest === undefined) return { denied: 'the event that started the job is of no pull request' };
  if (!token) return { denied: 'there is no token (github-token or GITHUB_TOKEN)' };
  return postComment({ body, marker: marker(key), repository, pullRequest, token, apiUrl });
}

/**
 * Everything a comment tells, and what would not fit into one.
 * @param {Results} results
 * @returns {Promise<void>}
 */
export async function writeSummary(results) {
  const file = results.env.GITHUB_STEP_SUMMARY;
  if (file) await appendFile(file, `${await render(results, SUMMARY_LIMIT)}\n`);
}

/**
 * @param {Results} results
 * @param {number} [limit] in characters; a comment's where not given
 */
async function render({ dir, key, env, reportUrl, origin, accepted, ...to }, limit) {
  const { run, comparison } = await readResults(dir);
  const { pullRequest = to.pullRequest } = readEvent(env);
  // Who asked for another side and could not have it was told why.
  const wantsHint = pullRequest !== undefined && !run.command?.includes(' --against=');
  return renderComment(run, {
    key,
    ...(wantsHint && { baselineHint: HINT }),
    ...(comparison && { comparison }),
    ...(reportUrl && { reportUrl }),
    ...(origin && { origin }),
    ...(accepted && { accepted }),
    ...(limit !== undefined && { limit }),
  });
}
