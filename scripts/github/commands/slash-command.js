/**
 * A run requested in a comment, `/perf servers=fastify duration=30s`, or a search for a commit, `/perf bisect v2.3.0`. The
 * comment is checked against what is allowed, and never evaluated.
 * @import { Step } from '../action/outputs.js'
 * @import { Octokit } from '../api.js'
 */

import { UserError } from '../../model/errors.js';
import { thisProcess } from '../../system/caller.js';
import { KINDS } from '../../config/kinds.js';
import { nearest } from '../../model/nearest.js';
import { OPTIONS } from '../../config/options.js';
import { parseDuration } from '../../model/units.js';
import { inMarkdown } from '../../report/render/escape.js';
import { plain } from '../../report/text/inline.js';
import { openApi } from '../api.js';
import { LIMIT_MINUTES } from './bisect.js';
import { readComment, readEvent } from '../event.js';
import { postText } from '../comment/post.js';
import { notice } from '../log.js';

const COMMAND = '/perf';
const BISECT = 'bisect';

/** A search takes one machine. */
const ALLOWED_IN_SEARCH = OPTIONS.flatMap((row) => (row.offeredAs?.includes('comment') ? row.name : []));
const ALLOWED = [...ALLOWED_IN_SEARCH, 'shards'];

/** A hash, a branch or a tag; without `..`, which would change the path of the API's URL. */
const COMMIT = /^(?!.*\.\.)\w[\w./-]{0,199}$/;

/** The default limit of one comparison in a search. */
const BUDGET_SECONDS = 300;

/** Without characters that mean anything to a shell, to Markdown or in an expression. */
const PLAIN = /^[\w.,:/%-]{1,200}$/;
const LONGEST_LINE = 1000;

/**
 * commits: the ends of the requested search, the later one last; empty: those of the pull request; absent: a run is requested
 * @typedef {{ options: Record<string, string>, commits?: string[] }} Request
 */

/** @param {string} body a comment @returns {Request | undefined} undefined: it requests nothing @throws {UserError} with every mistake, one a line */
export function parseRequest(body) {
  const [line = ''] = body.trim().split(/[\r\n]/);
  const [command, ...rest] = line.trim().split(/\s+/);
  if (command !== COMMAND) return undefined;
  if (line.length > LONGEST_LINE)
    throw new UserError(`the request has ${line.length} characters; the limit is ${LONGEST_LINE}`);
  const requestsSearch = rest[0] === BISECT;
  const words = requestsSearch ? rest.slice(1) : rest;
  const commits = requestsSearch ? words.filter((word) => !word.includes('=')) : [];
  const allowed = requestsSearch ? ALLOWED_IN_SEARCH : ALLOWED;
  const problems = commitProblems(commits);
  /** @type {Record<string, string>} */
  const options = {};
  for (const word of words.filter((candidate) => !commits.includes(candidate))) {
    const [name = '', ...parts] = word.split('=');
    const value = parts.join('=');
    const problem = problemOf(name, value, { allowed, given: Object.keys(options) });
    if (problem === undefined) options[name] = value;
    else problems.push(problem);
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  return { options, ...(requestsSearch && { commits }) };
}

/** @param {string} [body] a valid request @returns {boolean} whether it requests a search */
export function isSearch(body = '') {
  return parseRequest(body)?.commits !== undefined;
}

/** @param {string[]} commits */
function commitProblems(commits) {
  if (commits.length > 2)
    return [`${BISECT}: ${commits.length} commits are too many; use ${COMMAND} ${BISECT} GOOD BAD`];
  return commits
    .filter((commit) => !COMMIT.test(commit))
    .map((commit) => `${BISECT}: "${commit}" is not a commit's hash, a branch or a tag`);
}

/** @param {string} name @param {string} value @param {{ allowed: string[], given: string[] }} known given: the options so far */
function problemOf(name, value, { allowed, given }) {
  if (!allowed.includes(name)) return `there is no option "${name}"${nearest(name, allowed)}`;
  if (value === '') return `${name}: give it a value, like ${name}=...`;
  if (given.includes(name)) return `${name}: given twice; use it once`;
  if (!PLAIN.test(value)) return `${name}: only letters, digits and . , : / % _ - are allowed in a value`;
  try {
    KINDS[OPTIONS.find((option) => option.name === name)?.kind ?? 'count'](value, name, thisProcess());
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** env.PERF_GITHUB_TOKEN: reads permissions, writes reactions and comments. @type {Step<'ask'>} */
export async function ask({ env }) {
  const { repository = '', pullRequest, apiUrl } = readEvent(env);
  const comment = readComment(env);
  const isRequest = comment?.body.trim().split(/\s/)[0] === COMMAND;
  if (!comment || pullRequest === undefined || !isRequest) return undefined;
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = await openApi({ token: env.PERF_GITHUB_TOKEN ?? '', apiUrl });
  // The run does not depend on the reaction.
  const react = (/** @type {'eyes' | 'confused' | '-1'} */ content) =>
    octokit.rest.reactions
      .createForIssueComment({ owner, repo, comment_id: comment.id, content, request: { retries: 0 } })
      .catch(({ message }) => notice(`Could not add a reaction: ${message}`));
  if (!(await mayAsk(octokit, { owner, repo, username: comment.login }))) {
    notice(`${comment.login} has no write access and cannot ask for a run.`);
    await react('-1');
    return undefined;
  }
  try {
    const { options, commits } = /** @type {Request} */ (parseRequest(comment.body));
    const { data: pull } = await octokit.rest.pulls.get({ owner, repo, pull_number: pullRequest });
    if (pull.state !== 'open') throw new UserError('the pull request is closed; open it again to measure it');
    const [good = pull.base.sha, sha = pull.head.sha] = await Promise.all(
      (commits ?? []).map((ref) => commitNamed(octokit, { owner, repo, ref })),
    );
    const { data: range } = await octokit.rest.repos.compareCommitsWithBasehead({
      owner,
      repo,
      basehead: `${good}...${sha}`,
      per_page: 1,
    });
    const base = range.merge_base_commit.sha;
    const search = commits && { ...withinTime(options, range.ahead_by), bisect: base };
    await react('eyes');
    return search
      ? { bisect: JSON.stringify(search), sha, options: undefined, base: undefined }
      : { options: JSON.stringify(options), sha, base, bisect: undefined };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await react('confused');
    await postText({ text: answerTo(error), key: 'request', env, pullRequest });
    return undefined;
  }
}

/** The event's author_association may be outdated. @param {Octokit} octokit @param {{ owner: string, repo: string, username: string }} who */
async function mayAsk(octokit, who) {
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel(who);
    return ['admin', 'write'].includes(data.permission);
  } catch (error) {
    if (Object(error).status === 404) return false;
    throw error;
  }
}

/** Its hash, since a branch may move while a job waits. @param {Octokit} octokit @param {{ owner: string, repo: string, ref: string }} which */
async function commitNamed(octokit, which) {
  try {
    const { data } = await octokit.rest.repos.getCommit({ ...which, per_page: 1 });
    return data.sha;
  } catch (error) {
    if (![404, 422].includes(Object(error).status)) throw error;
    throw new UserError(`${BISECT}: there is no commit "${which.ref}" in this repository`);
  }
}

/**
 * @param {Record<string, string>} options
 * @param {number} ahead the number of candidate commits
 * @returns {Record<string, string>} with a budget per comparison, so that all comparisons fit into the job
 * @throws {UserError} where they cannot
 */
function withinTime(options, ahead) {
  if (ahead === 0)
    throw new UserError(`${BISECT}: there is no commit between the two; name the good one first`);
  const comparisons = Math.ceil(Math.log2(ahead)) + 2;
  const most = Math.floor((LIMIT_MINUTES * 60) / comparisons);
  const { budget, rounds } = options;
  if (budget === undefined)
    return rounds === undefined ? { ...options, budget: `${Math.min(BUDGET_SECONDS, most)}s` } : options;
  if (parseDuration(budget, 'budget') <= most) return options;
  throw new UserError(
    `budget: ${comparisons} comparisons of ${budget} do not fit into the job's ${LIMIT_MINUTES} minutes; use ${most}s or less`,
  );
}

/** @param {UserError} error */
function answerTo({ message }) {
  const problems = message.split('\n').map((line) => `- ${inMarkdown(plain(line, 300))}`);
  return [
    'This request is not valid:',
    problems.join('\n'),
    `One line, like \`${COMMAND} servers=fastify duration=30s\`, with any of ${ALLOWED.join(', ')}; or \`${COMMAND} ${BISECT} GOOD BAD\`, which finds the commit that made it slower.`,
  ].join('\n\n');
}
