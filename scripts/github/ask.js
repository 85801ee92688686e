/**
 * A run asked for in a comment: `/perf servers=fastify duration=30s`. What stands there is compared with what may stand
 * there, and never evaluated.
 * @import { Context, Outputs } from './steps.js'
 * @import { Octokit } from './api.js'
 */

import { UserError } from '../errors.js';
import { KINDS } from '../plan/kinds.js';
import { nearest } from '../plan/nearest.js';
import { OPTIONS } from '../plan/options.js';
import { escaped } from '../report/escape.js';
import { openApi } from './api.js';
import { readComment, readEvent } from './event.js';
import { postText } from './post.js';
import { notice } from './say.js';

const COMMAND = '/perf';

/** What a comment can set: how much is measured. Not files, nor what decides the gate, nor what a request says. */
const ALLOWED = [
  ...['profile', 'servers', 'routes', 'tool', 'connections', 'duration', 'warmup', 'windows', 'rounds'],
  ...['budget', 'keep-alive', 'pipelining', 'rate', 'threads', 'scale', 'seed', 'shards'],
];

/** Nothing in it means anything to a shell, to Markdown or to an expression. */
const PLAIN = /^[\w.,:/%-]{1,200}$/;
const LONGEST_LINE = 1000;

const MAY_ASK = ['admin', 'write'];

/**
 * @param {string} body a comment
 * @returns {Record<string, string> | undefined} options by name; undefined: it asks for nothing
 * @throws {UserError} with every mistake, one a line
 */
export function parseRequest(body) {
  const [line = ''] = body.split(/[\r\n]/);
  const [command, ...words] = line.trim().split(/[ \t]+/);
  if (command !== COMMAND) return undefined;
  if (line.length > LONGEST_LINE)
    throw new UserError(`the request has ${line.length} characters; the limit is ${LONGEST_LINE}`);
  /** @type {Record<string, string>} */
  const options = {};
  const problems = words.flatMap((word) => {
    const [name = '', ...rest] = word.split('=');
    const problem = problemOf(name, rest.length > 0 ? rest.join('=') : undefined, Object.keys(options));
    if (problem === undefined) options[name] = rest.join('=');
    return problem ?? [];
  });
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  return options;
}

/**
 * @param {string} name
 * @param {string | undefined} value
 * @param {string[]} given names so far
 * @returns {string | undefined}
 */
function problemOf(name, value, given) {
  if (!ALLOWED.includes(name)) return `there is no option "${name}"${nearest(name, ALLOWED)}`;
  if (value === undefined || value === '') return `${name}: give it a value, like ${name}=...`;
  if (given.includes(name)) return `${name}: given twice; use it once`;
  if (!PLAIN.test(value)) return `${name}: only letters, digits and . , : / % _ - are allowed in a value`;
  try {
    KINDS[OPTIONS.find((option) => option.name === name)?.kind ?? 'count'](value, name);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/**
 * @param {Context} context env.PERF_GITHUB_TOKEN: reads permissions, writes reactions and comments
 * @returns {Promise<Outputs>} options: as JSON; sha: the head's; base: where it branched off. Nothing where no run starts
 */
export async function ask({ env }) {
  const { repository = '', pullRequest, apiUrl } = readEvent(env);
  const comment = readComment(env);
  const isRequest = comment?.body.trim().split(/\s/)[0] === COMMAND;
  if (!comment || pullRequest === undefined || !isRequest) return {};
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = openApi({ token: env.PERF_GITHUB_TOKEN ?? '', apiUrl });
  /** @param {'eyes' | 'confused' | '-1'} content */
  const react = (content) => reactTo(octokit, { owner, repo, comment_id: comment.id, content });

  if (!(await mayAsk(octokit, { owner, repo, username: comment.login }))) {
    notice(`${comment.login} has no write access and cannot ask for a run.`);
    await react('-1');
    return {};
  }
  try {
    const options = parseRequest(comment.body);
    const sides = await findSides(octokit, { owner, repo, pull_number: pullRequest });
    await react('eyes');
    return { options: JSON.stringify(options), ...sides };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await react('confused');
    await postText({ text: answerTo(error), key: 'request', env, pullRequest });
    return {};
  }
}

/**
 * What the event says of its author is how they stood to the repository once; this is what they may do now.
 * @param {Octokit} octokit
 * @param {{ owner: string, repo: string, username: string }} who
 */
async function mayAsk(octokit, who) {
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel(who);
    return MAY_ASK.includes(data.permission);
  } catch (error) {
    if (/** @type {{ status?: number }} */ (error).status === 404) return false;
    throw error;
  }
}

/**
 * @param {Octokit} octokit
 * @param {{ owner: string, repo: string, pull_number: number }} pull
 * @returns {Promise<{ sha: string, base: string }>}
 */
async function findSides(octokit, { owner, repo, pull_number }) {
  const { data: pull } = await octokit.rest.pulls.get({ owner, repo, pull_number });
  if (pull.state !== 'open') throw new UserError('the pull request is closed; open it again to measure it');
  const { sha } = pull.head;
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
    ...{ owner, repo, per_page: 1 },
    basehead: `${pull.base.sha}...${sha}`,
  });
  return { sha, base: data.merge_base_commit.sha };
}

/**
 * @param {Octokit} octokit
 * @param {{ owner: string, repo: string, comment_id: number, content: 'eyes' | 'confused' | '-1' }} reaction
 */
async function reactTo(octokit, reaction) {
  try {
    await octokit.rest.reactions.createForIssueComment({ ...reaction, request: { retries: 0 } });
  } catch (error) {
    // A courtesy: a run neither waits for it nor depends on it.
    notice(`Could not add a reaction: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {UserError} error */
function answerTo({ message }) {
  const problems = message.split('\n').map((line) => `- ${escaped(line, 300)}`);
  return [
    'This request is not valid:',
    problems.join('\n'),
    `One line, like \`/perf servers=fastify duration=30s\`, with any of ${ALLOWED.join(', ')}.`,
  ].join('\n\n');
}
