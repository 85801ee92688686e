/** The event that started the workflow. */

import { jsonIn } from '../model/json.js';
import { readIfThere } from '../system/bounded-file.js';
import { UserError } from '../model/errors.js';

/** github.com and the tenants of GitHub's data residency. */
const HOSTED = /(^github\.com|\.ghe\.com)$/i;

/**
 * baseSha: the tip of what a pull request or a merge queue merges into, or the commit before a push.
 * @type {(env: NodeJS.ProcessEnv) =>
 *   { repository?: string, pullRequest?: number, baseSha?: string, apiUrl: string, serverUrl: string }}
 */
export function readEvent({ GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_SERVER_URL }) {
  const event = parsed(GITHUB_EVENT_PATH);
  // In an issue_comment event, the issue may be a pull request.
  const number = event.pull_request?.number ?? (event.issue?.pull_request ? event.issue.number : undefined);
  const baseSha = textOf(event.pull_request?.base?.sha ?? event.merge_group?.base_sha ?? event.before);
  return {
    ...(GITHUB_REPOSITORY && { repository: GITHUB_REPOSITORY }),
    ...(Number.isInteger(number) && { pullRequest: number }),
    ...(/^[0-9a-f]{40}$/.test(baseSha) && !/^0+$/.test(baseSha) && { baseSha }),
    apiUrl: GITHUB_API_URL || 'https://api.github.com',
    serverUrl: GITHUB_SERVER_URL || 'https://github.com',
  };
}

/** The last pull request of the measured queue. @type {(env: NodeJS.ProcessEnv) => number | undefined} */
export function readQueued({ GITHUB_EVENT_PATH }) {
  const [, number] =
    /\/pr-(\d+)-[0-9a-f]{40}$/.exec(textOf(parsed(GITHUB_EVENT_PATH).merge_group?.head_ref)) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * The run whose end started this one, if one did; repository: of its head, usually a fork.
 * @param {NodeJS.ProcessEnv} env
 */
export function readMeasuring({ GITHUB_EVENT_PATH }) {
  const { workflow_run: run } = parsed(GITHUB_EVENT_PATH);
  if (!run) return undefined;
  const { id, event, head_sha: sha, head_branch: branch, head_repository: from } = run;
  return { id, event, sha, branch, repository: from?.full_name ?? '' };
}

/** The comment that started the job, if one did. @param {NodeJS.ProcessEnv} env */
export function readComment({ GITHUB_EVENT_PATH }) {
  const { comment } = parsed(GITHUB_EVENT_PATH);
  return comment && { id: comment.id, body: textOf(comment.body), login: textOf(comment.user?.login) };
}

/**
 * The head commit and labels of the pull request. A commit can name any author; who pushed it, GitHub knows.
 * `pushed` is the commit whose push, `labelled` the label whose setting started the job, and by whom.
 * @type {(env: NodeJS.ProcessEnv) => { sha?: string, commit?: { sha: string, message: string },
 *   pushed?: { sha: string, login: string }, labels: string[], labelled?: { name: string, login: string } }}
 */
export function readHead({ GITHUB_EVENT_PATH }) {
  const event = parsed(GITHUB_EVENT_PATH);
  const { pull_request: pull, head_commit: head, issue, action, label, sender, after } = event;
  const labels = [(pull ?? issue)?.labels ?? []].flat();
  const isPush = head !== undefined || action === 'synchronize';
  const labelled = { name: textOf(label?.name), login: textOf(sender?.login) };
  return {
    ...(pull?.head?.sha && { sha: pull.head.sha }),
    ...(head && { commit: { sha: textOf(head.id), message: textOf(head.message) } }),
    ...(isPush && after && sender?.login && { pushed: { sha: after, login: sender.login } }),
    labels: labels.flatMap((entry) => entry?.name ?? []),
    ...(action === 'labeled' && { labelled }),
  };
}

/**
 * Whether the job measures the main branch's own tip. One that a comment or a fork's run started is on that
 * branch too, whatever it measures.
 * @type {(env: NodeJS.ProcessEnv) => boolean}
 */
export function isOfMain({ GITHUB_EVENT_PATH, GITHUB_EVENT_NAME = '', GITHUB_REF }) {
  if (!GITHUB_EVENT_PATH || !['push', 'schedule', 'workflow_dispatch'].includes(GITHUB_EVENT_NAME))
    return false;
  const main = textOf(parsed(GITHUB_EVENT_PATH).repository?.default_branch);
  return main !== '' && GITHUB_REF === `refs/heads/${main}`;
}

/**
 * Whether results can be uploaded as an artifact. actions/upload-artifact v4 and later refuses every other
 * server, and github.com refuses v3 as soon as an action names it:
 * https://github.com/actions/upload-artifact#v4---whats-new
 * @type {(env: NodeJS.ProcessEnv) => boolean}
 */
export function keepsArtifacts(env) {
  return HOSTED.test(new URL(readEvent(env).serverUrl).hostname);
}

/** Returns '' for anything but text. @type {(value: unknown) => string} */
function textOf(value) {
  return typeof value === 'string' ? value : '';
}

/** An object, empty where no event started the job. @type {(file: string | undefined) => any} */
function parsed(file) {
  if (!file) return {};
  const event = jsonIn(readIfThere(file) ?? '');
  if (event instanceof Object) return event;
  throw new UserError(
    `GITHUB_EVENT_PATH: ${file} is not a readable event; GitHub writes it, so start the job again`,
  );
}
