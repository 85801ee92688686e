/**
 * Publishes a result folder: always in the job summary, and on the pull request where the token may write.
 * @import { Comment, Posted } from './sticky-comment.js'
 * @import { Acceptance } from './accept.js'
 */

import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commitOf, marker, renderComment } from '../../report/render/comment.js';
import { code } from '../../report/text/inline.js';
import { readResults } from '../../session/results.js';
import { harmlessJson } from '../../system/sanitize.js';
import { isSkipped } from '../../store/skipped.js';
import { renderAcceptance } from './accept.js';
import { postComment } from './sticky-comment.js';
import { DEFAULT_KEY } from '../contract/inputs.js';
import { readComment, readEvent, readHead } from '../event.js';
import { notice } from '../step-log.js';

/** A step's summary holds 1 MiB; a character takes three bytes at most. */
const SUMMARY_LIMIT = Math.floor(2 ** 20 / 3);

const HINT = `Measured without a comparison. ${code('against: base')} measures and compares the commit it would be merged into.`;

/**
 * @typedef {object} Results
 * @property {string} dir absolute; holds run.json
 * @property {string} key the comment-key
 * @property {NodeJS.ProcessEnv} env of the step
 * @property {boolean} [isPosted] false: in the job summary alone
 * @property {number} [pullRequest] where the event does not name it
 * @property {string} [sha] the head, where the event does not name it
 * @property {string} [reportUrl] of the whole report
 * @property {string} [origin] where the figures come from, as Markdown
 * @property {Acceptance} [acceptance] who accepted the regression
 */

/**
 * A skipped run updates the comment of an earlier one. It creates none, unless somebody asked for the run.
 * @param {Results} results
 * @returns {Promise<Posted>}
 * @throws {import('../../model/errors.js').UserError} where the folder holds no readable run
 */
export async function postResults(results) {
  const { key, env, isPosted = true, pullRequest, sha = readHead(env).sha } = results;
  const read = await readResults(results.dir);
  // The summary has what would not fit into a comment, too.
  const summary = render(results, { ...read, limit: SUMMARY_LIMIT });
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${summary}\n`);
  if (!isPosted) return { denied: 'the input comment is false' };
  const isWanted = !isSkipped(read.run) || readComment(env) !== undefined;
  return post({
    key,
    env,
    ...(sha !== undefined && { head: sha }),
    pullRequest,
    write: (now) =>
      now === undefined && !isWanted ? undefined : render(results, { ...read, before: now && commitOf(now) }),
  });
}

/** @type {import('../../verbs.js').Command} */
export async function comment({ values }, io) {
  const { dir = 'perf-results' } = values;
  const folder = resolve(io.cwd, String(dir));
  const posted = await postResults({ dir: folder, key: String(values.key ?? DEFAULT_KEY), env: io.env });
  const text =
    'url' in posted ? posted.url : `no comment posted: ${posted.denied}; ${dir}/report.md has its content`;
  io.stdout.write(values.json ? harmlessJson(posted) : `${text}\n`);
  return 0;
}

/**
 * @param {{ text: string, key: string, env: NodeJS.ProcessEnv, pullRequest: number }} what text: Markdown
 * @returns the URL of the comment, if there is one
 */
export async function postText({ text, key, ...where }) {
  return urlOf(await post({ ...where, key, write: () => `${marker(key)}\n\n${text}` }));
}

/** @param {Posted} posted */
export function urlOf(posted) {
  return 'url' in posted ? posted.url : undefined;
}

/**
 * Prints a notice where somebody expects a comment and none was posted: without a pull request nobody does.
 * @param {Omit<Comment, 'marker'> & { key: string, env: NodeJS.ProcessEnv, pullRequest?: number }} comment
 * @returns {Promise<Posted>}
 */
async function post({ key, env, pullRequest: given, ...comment }) {
  const { repository, pullRequest = given, apiUrl } = readEvent(env);
  const token = env.PERF_GITHUB_TOKEN || env.GITHUB_TOKEN;
  /** @returns {Promise<Posted>} */
  const tryPost = async () => {
    if (!repository) return { denied: 'this job has no repository (GITHUB_REPOSITORY is not set)' };
    if (pullRequest === undefined) return { denied: 'the event that started the job has no pull request' };
    if (!token) return { denied: 'there is no token (github-token or GITHUB_TOKEN)' };
    return postComment({ ...comment, marker: marker(key), repository, pullRequest, token, apiUrl });
  };
  const posted = await tryPost();
  if (pullRequest !== undefined && 'denied' in posted && env.GITHUB_ACTIONS === 'true')
    notice(`No comment was posted; the results are in the job summary: ${posted.denied}`);
  return posted;
}

/**
 * @param {Results} results
 * @param {import('../../session/results.js').Results & { limit?: number, before?: string }} content
 *   limit: in characters (default: a comment's); before: the commit that the comment described until now
 */
function render({ key, env, sha, reportUrl, origin, acceptance, pullRequest: given }, content) {
  const { run, base, comparison, presetRuns, limit, before } = content;
  const { pullRequest = given } = readEvent(env);
  const isOld = isSkipped(run);
  const commit = isOld ? before : (sha ?? run.revision.sha);
  // A run that asked for a base and did not get it says why; it needs no hint.
  const wantsHint = pullRequest !== undefined && !run.command?.includes(' --against=');
  return renderComment(run, {
    key,
    base,
    ...(wantsHint && { baselineHint: HINT }),
    ...(comparison && { comparison }),
    ...(presetRuns && { presetRuns }),
    ...(reportUrl && !isOld && { reportUrl }),
    ...(origin && { origin }),
    ...(acceptance && { accepted: renderAcceptance(acceptance, run.language) }),
    limit,
    commit,
  });
}
