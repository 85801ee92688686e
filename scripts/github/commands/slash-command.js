/**
 * A run requested in a comment, `/perf servers=fastify duration=30s`. The comment is checked against what is
 * allowed, and never evaluated.
 * @import { Step } from '../contract/outputs.js'
 * @import { Octokit } from '../api.js'
 */

import { UserError } from '../../model/errors.js';
import { thisProcess } from '../../system/this-project.js';
import { KINDS } from '../../config/kinds.js';
import { nearest } from '../../model/nearest.js';
import { OPTIONS } from '../../config/options.js';
import { inMarkdown } from '../../report/render/escape.js';
import { plain } from '../../report/text/inline.js';
import { openApi } from '../api.js';
import { readComment, readEvent } from '../event.js';
import { postText } from '../comment/post.js';
import { notice } from '../step-log.js';

const COMMAND = '/perf';
const KIND_OF = new Map(OPTIONS.map(({ name, kind }) => [name, kind]));
const ALLOWED = [...OPTIONS.flatMap((row) => (row.offeredAs?.includes('comment') ? row.name : [])), 'shards'];

/** Without characters that mean anything to a shell, to Markdown or in an expression. */
const PLAIN = /^[\w.,:/%-]{1,200}$/;
const LONGEST_LINE = 1000;

/**
 * @param {string} body a comment
 * @returns {Record<string, string> | undefined} options; undefined: it requests nothing
 * @throws {UserError} with every mistake, one a line
 */
export function parseRequest(body) {
  const [line = ''] = body.trim().split(/[\r\n]/);
  const [command, ...words] = line.trim().split(/\s+/);
  if (command !== COMMAND) return undefined;
  if (line.length > LONGEST_LINE)
    throw new UserError(`the request has ${line.length} characters; the limit is ${LONGEST_LINE}`);
  /** @type {string[]} */
  const problems = [];
  /** @type {Record<string, string>} */
  const options = {};
  for (const word of words) {
    const [name = '', ...parts] = word.split('=');
    const value = KIND_OF.get(name) === 'switch' && parts.length === 0 ? 'true' : parts.join('=');
    const problem = problemOf(name, value, Object.keys(options));
    if (problem === undefined) options[name] = value;
    else problems.push(problem);
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  return options;
}

/** `given` came before it. @type {(name: string, value: string, given: string[]) => string | undefined} */
function problemOf(name, value, given) {
  if (name === 'bisect')
    return 'bisect: no comment starts a search; start the workflow docs/recipes/bisect.yml';
  if (!ALLOWED.includes(name)) return `there is no option "${name}"${nearest(name, ALLOWED)}`;
  if (value === '') return `${name}: give it a value, like ${name}=...`;
  if (given.includes(name)) return `${name}: given twice; use it once`;
  if (!PLAIN.test(value)) return `${name}: only letters, digits and . , : / % _ - are allowed in a value`;
  try {
    KINDS[KIND_OF.get(name) ?? 'count'](value, name, thisProcess());
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
    const options = parseRequest(comment.body);
    const { data: pull } = await octokit.rest.pulls.get({ owner, repo, pull_number: pullRequest });
    if (pull.state !== 'open') throw new UserError('the pull request is closed; open it again to measure it');
    const { sha } = pull.head;
    const { data: range } = await octokit.rest.repos.compareCommitsWithBasehead({
      owner,
      repo,
      basehead: `${pull.base.sha}...${sha}`,
      per_page: 1,
    });
    await react('eyes');
    return { options: JSON.stringify(options), sha, base: range.merge_base_commit.sha };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await react('confused');
    await postText({ text: answerTo(error), key: 'request', env, pullRequest });
    return undefined;
  }
}

/**
 * The event's author_association may be outdated.
 * @type {(octokit: Octokit, who: { owner: string, repo: string, username: string }) => Promise<boolean>}
 */
async function mayAsk(octokit, who) {
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel(who);
    return ['admin', 'write'].includes(data.permission);
  } catch (error) {
    if (Object(error).status === 404) return false;
    throw error;
  }
}

/** @param {UserError} error */
function answerTo({ message }) {
  const problems = message.split('\n').map((line) => `- ${inMarkdown(plain(line, 300))}`);
  return [
    'This request is not valid:',
    problems.join('\n'),
    `One line, like \`${COMMAND} servers=fastify duration=30s\`, with any of ${ALLOWED.join(', ')}.`,
  ].join('\n\n');
}
