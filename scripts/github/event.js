/** What started the workflow, as the site tells it. */

import { readBounded } from '../system/bounded-file.js';
import { UserError } from '../model/errors.js';

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ repository?: string, pullRequest?: number, baseSha?: string, apiUrl: string, serverUrl: string }}
 *   without what is not known; baseSha: the tip of what is merged into, by a pull request or a merge queue,
 *   or what a push was made onto
 */
export function readEvent({ GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_SERVER_URL }) {
  const event = parsed(GITHUB_EVENT_PATH);
  // An issue_comment event tells of an issue that is a pull request.
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

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ id: number, event: string, sha: string, branch: string, repository: string } | undefined} the run whose end
 *   started this one; repository: its head's, a fork's as a rule. undefined: this was not started so
 */
export function readMeasuring({ GITHUB_EVENT_PATH }) {
  const { workflow_run: run } = parsed(GITHUB_EVENT_PATH);
  if (!run) return undefined;
  const { id, event, head_sha: sha, head_branch: branch, head_repository: from } = run;
  return { id, event, sha, branch, repository: from?.full_name ?? '' };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ id: number, body: string, login: string } | undefined} the comment that started the job; undefined: none did
 */
export function readComment({ GITHUB_EVENT_PATH }) {
  const { comment } = parsed(GITHUB_EVENT_PATH);
  return comment && { id: comment.id, body: textOf(comment.body), login: textOf(comment.user?.login) };
}

/**
 * What the event says of the commit at the top, and of the pull request's labels. A commit names its author as it likes;
 * who pushed it, the site knows.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ sha?: string, commit?: { sha: string, message: string }, pushed?: { sha: string, login: string },
 *   labels: string[], labelled: [label: string, login: string][] }} pushed: the commit whose push started the job;
 *   labelled: the label whose setting started the job, and who set it
 */
export function readHead({ GITHUB_EVENT_PATH }) {
  const event = parsed(GITHUB_EVENT_PATH);
  const { pull_request: pull, head_commit: head, issue, action, label, sender, after } = event;
  const labels = [(pull ?? issue)?.labels ?? []].flat();
  const isPush = head !== undefined || action === 'synchronize';
  return {
    ...(pull?.head?.sha && { sha: pull.head.sha }),
    ...(head && { commit: { sha: textOf(head.id), message: textOf(head.message) } }),
    ...(isPush && after && sender?.login && { pushed: { sha: after, login: sender.login } }),
    labels: labels.flatMap((each) => each?.name ?? []),
    labelled: action === 'labeled' && label ? [[textOf(label.name), textOf(sender?.login)]] : [],
  };
}

/**
 * A job that anyone's comment or a fork's run has started is on the main branch too, whatever it measures.
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean} whether the job is of the main branch's own tip
 */
export function isOfMain({ GITHUB_EVENT_PATH, GITHUB_EVENT_NAME = '', GITHUB_REF }) {
  if (!GITHUB_EVENT_PATH || !['push', 'schedule', 'workflow_dispatch'].includes(GITHUB_EVENT_NAME))
    return false;
  const main = parsed(GITHUB_EVENT_PATH).repository?.default_branch;
  return main !== undefined && GITHUB_REF === `refs/heads/${main}`;
}

/** @param {unknown} value @returns {string} empty where the event has something else there */
function textOf(value) {
  return typeof value === 'string' ? value : '';
}

/**
 * @param {string | undefined} file
 * @returns {any} an object, empty where no event started the job
 * @throws {UserError} where it is none
 */
function parsed(file) {
  if (!file) return {};
  try {
    const event = JSON.parse(readBounded(file).toString());
    if (event instanceof Object) return event;
  } catch {
    // Told below.
  }
  throw new UserError(
    `GITHUB_EVENT_PATH: ${file} is not a readable event; the site writes it, so start the job again`,
  );
}
