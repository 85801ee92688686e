/** Brings a result folder to its readers: the job summary always, the pull request where it may be written to. */

import { appendFile } from 'node:fs/promises';
import { notice } from '@actions/core';
import { marker, renderComment } from '../report/comment.js';
import { postComment } from './comment.js';
import { readEvent } from './event.js';
import { readResults } from './results.js';

/** What a step's summary may hold: 1 MiB, at no more than three bytes a character. */
const SUMMARY_LIMIT = Math.floor(2 ** 20 / 3);

const HINT = 'No baseline to compare with: `perf-action baseline save` makes one of a run.';

/**
 * @typedef {{ dir: string, key: string, env: NodeJS.ProcessEnv }} Results dir: absolute, holds run.json;
 *   env.PERF_REPORT_URL: where the whole report can be read
 */

/**
 * @param {Results} results
 * @returns {Promise<{ url: string } | { denied: string }>} denied: why there is no comment, which a notice tells as well
 * @throws {import('../errors.js').UserError} where the folder holds no readable run
 */
export async function postResults({ dir, key, env }) {
  await writeSummary({ dir, key, env });
  const posted = await post({ dir, key, env });
  if ('denied' in posted && env.GITHUB_ACTIONS === 'true')
    notice(`The results are in the job summary, there is no comment: ${posted.denied}`);
  return posted;
}

/**
 * @param {Results} results
 * @returns {Promise<{ url: string } | { denied: string }>}
 */
async function post({ dir, key, env }) {
  const { repository, pullRequest, apiUrl } = readEvent(env);
  const token = env.PERF_GITHUB_TOKEN || env.GITHUB_TOKEN;
  if (!repository) return { denied: 'this is no job of a repository (GITHUB_REPOSITORY is not set)' };
  if (pullRequest === undefined) return { denied: 'the event that started the job is of no pull request' };
  if (!token) return { denied: 'there is no token (github-token or GITHUB_TOKEN)' };
  const body = await render({ dir, key, env });
  return postComment({ body, marker: marker(key), repository, pullRequest, token, apiUrl });
}

/**
 * Everything a comment tells, and what would not fit into one.
 * @param {Results} results
 * @returns {Promise<void>}
 */
export async function writeSummary({ dir, key, env }) {
  if (env.GITHUB_STEP_SUMMARY)
    await appendFile(env.GITHUB_STEP_SUMMARY, `${await render({ dir, key, env }, SUMMARY_LIMIT)}\n`);
}

/**
 * @param {Results} results
 * @param {number} [limit] in characters; a comment's where not given
 */
async function render({ dir, key, env: { PERF_REPORT_URL: reportUrl } }, limit) {
  const { run, comparison } = await readResults(dir);
  return renderComment(run, {
    key,
    baselineHint: HINT,
    ...(comparison && { comparison }),
    ...(reportUrl && { reportUrl }),
    ...(limit !== undefined && { limit }),
  });
}
