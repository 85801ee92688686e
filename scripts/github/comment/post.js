/**
 * Brings a result folder to its readers: the job summary always, the pull request where it may be written to.
 * @import { Comparison, Run } from '../../types.js'
 */

import { appendFile } from 'node:fs/promises';
import { commitOf, marker, renderComment } from '../../report/render/comment.js';
import { readResults } from '../../session/results.js';
import { isSkipped } from '../../store/skipped.js';
import { postComment } from './comment.js';
import { readComment, readEvent, readHead } from '../event.js';
import { notice } from '../log.js';

/** What a step's summary may hold: 1 MiB, at no more than three bytes a character. */
const SUMMARY_LIMIT = Math.floor(2 ** 20 / 3);

const HINT =
  'Measured without a comparison. `against: base` measures and compares the commit it would be merged into.';

/**
 * dir: absolute, holds run.json; pullRequest: the event's where absent; reportUrl: where the whole report can be read;
 * origin: where the figures come from, accepted: who wants them so, both as Markdown; sha: the head's, where the event
 * does not tell it
 * @typedef {{ dir: string, key: string, env: NodeJS.ProcessEnv, pullRequest?: number, reportUrl?: string | undefined,
 *   origin?: string, accepted?: string | undefined, sha?: string | undefined }} Results
 * A notice tells as well why there is no comment. @typedef {import('./comment.js').Posted} Posted
 */

/**
 * A run that was skipped brings the comment up to date that an earlier one has left. It makes none of its own, unless
 * somebody asked for the run.
 * @param {Results} results
 * @returns {Promise<Posted>}
 * @throws {import('../../model/errors.js').UserError} where the folder holds no readable run
 */
export async function postResults(results) {
  const { key, env, pullRequest, sha = readHead(env).sha } = results;
  await writeSummary(results);
  const { run, comparison } = await readResults(results.dir);
  const isWanted = !isSkipped(run) || readComment(env) !== undefined;
  return post({
    ...{ key, env, head: sha, ...(pullRequest !== undefined && { pullRequest }) },
    write: (now) => {
      if (now === undefined && !isWanted) return undefined;
      return render(results, { run, comparison, before: now && commitOf(now) });
    },
  });
}

/**
 * @param {{ text: string, key: string, env: NodeJS.ProcessEnv, pullRequest: number }} what text: Markdown
 * @returns {Promise<Posted>}
 */
export function postText({ text, key, ...where }) {
  return post({ ...where, key, write: () => `${marker(key)}\n\n${text}` });
}

/**
 * @param {Omit<import('./comment.js').Comment, 'marker'> & { key: string, env: NodeJS.ProcessEnv, pullRequest?: number }} comment
 * @returns {Promise<Posted>}
 */
async function post(comment) {
  const posted = await tryPost(comment);
  // Without a pull request nobody expects a comment.
  const isExpected = (readEvent(comment.env).pullRequest ?? comment.pullRequest) !== undefined;
  if (isExpected && 'denied' in posted && comment.env.GITHUB_ACTIONS === 'true')
    notice(`No comment was posted; the results are in the job summary: ${posted.denied}`);
  return posted;
}

/**
 * @param {Parameters<typeof post>[0]} comment
 * @returns {Promise<Posted>}
 */
async function tryPost({ key, env, pullRequest: told, ...comment }) {
  const { repository, pullRequest = told, apiUrl } = readEvent(env);
  const token = env.PERF_GITHUB_TOKEN || env.GITHUB_TOKEN;
  if (!repository) return { denied: 'this job has no repository (GITHUB_REPOSITORY is not set)' };
  if (pullRequest === undefined) return { denied: 'the event that started the job has no pull request' };
  if (!token) return { denied: 'there is no token (github-token or GITHUB_TOKEN)' };
  return postComment({ ...comment, marker: marker(key), repository, pullRequest, token, apiUrl });
}

/**
 * Everything a comment tells, and what would not fit into one.
 * @param {Results} results
 * @returns {Promise<void>}
 */
export async function writeSummary(results) {
  const file = results.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const { run, comparison } = await readResults(results.dir);
  await appendFile(file, `${render(results, { run, comparison, limit: SUMMARY_LIMIT })}\n`);
}

/**
 * @param {Results} results
 * @param {{ run: Run, comparison?: Comparison | undefined, limit?: number, before?: string | undefined }} told limit: in
 *   characters, a comment's where not given; before: the commit that a comment was of until now
 */
function render({ key, env, sha, reportUrl, origin, accepted, ...to }, { run, comparison, limit, before }) {
  const { pullRequest = to.pullRequest } = readEvent(env);
  const isOld = isSkipped(run);
  const commit = isOld ? before : (sha ?? run.revision.sha);
  // Who asked for another side and could not have it was told why.
  const wantsHint = pullRequest !== undefined && !run.command?.includes(' --against=');
  return renderComment(run, {
    key,
    ...(wantsHint && { baselineHint: HINT }),
    ...(comparison && { comparison }),
    ...(reportUrl && !isOld && { reportUrl }),
    ...(origin && { origin }),
    ...(accepted && { accepted }),
    ...(limit !== undefined && { limit }),
    ...(commit !== undefined && { commit }),
  });
}
