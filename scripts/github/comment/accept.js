/**
 * Who accepted a regression: by a label on the pull request, or by a trailer in the message of its last
 * commit. A push that merged a pull request inherits its acceptance.
 * @import { Octokit } from '../api.js'
 */

import { defined } from '../../model/defined.js';
import { plain, shortSha } from '../../report/text/inline.js';
import { wordsIn } from '../../report/text/words.js';
import { openApi } from '../api.js';
import { readEvent, readHead, readQueued } from '../event.js';

export const LABEL = 'perf-accepted';
const TRAILER = /^Perf-Accepted:[ \t]*(\S.*)$/i;

/** @typedef {NonNullable<import('../../types.js').Gate['accepted']>} Acceptance */
/** who: set it, where that is known @typedef {{ isSet: boolean, who?: string }} Label */

/**
 * Undefined: nobody accepted it. The API's answer overrides the event, since labels change while a job runs;
 * without a token, only the event counts. Each pull request of a merge queue has a group of its own, so its
 * label counts there. `measured` are the pull request and its commit, where the event is not theirs.
 * @type {(env: NodeJS.ProcessEnv, measured?: { pullRequest?: number, sha?: string }) =>
 *   Promise<Acceptance | undefined>}
 */
export async function findAcceptance(env, measured = {}) {
  const head = readHead(env);
  const token = env.PERF_GITHUB_TOKEN || env.GITHUB_TOKEN;
  const { repository, apiUrl, ...event } = readEvent(env);
  const pullRequest = measured.pullRequest ?? event.pullRequest ?? readQueued(env);
  const [owner = '', repo = ''] = repository?.split('/') ?? [];
  const octokit = token && repository ? await openApi({ token, apiUrl }) : undefined;
  const sha = measured.sha ?? head.sha ?? (event.pullRequest === undefined ? env.GITHUB_SHA : undefined);
  const which = { owner, repo, commit_sha: sha ?? '' };
  const pulls =
    octokit && sha && pullRequest === undefined
      ? await ifAnswered(() => octokit.rest.repos.listPullRequestsAssociatedWithCommit(which))
      : undefined;
  const merged = pulls?.data.find((pull) => pull.merged_at && pull.merge_commit_sha === sha);
  const number = pullRequest ?? merged?.number;
  const place = number === undefined ? undefined : { owner, repo, issue_number: number };
  const { labels, labelled } = head;
  const inEvent = {
    isSet: labels.includes(LABEL),
    who: labelled?.name === LABEL ? labelled.login : undefined,
  };
  const label = (octokit && place && (await ifAnswered(() => labelNow(octokit, place)))) ?? inEvent;
  if (label.isSet) return defined({ who: label.who });
  const fetched = [head.commit ? undefined : sha, merged?.head.sha].map(async (ref) => {
    if (!octokit || !ref) return undefined;
    const answer = await ifAnswered(() => octokit.rest.repos.getCommit({ owner, repo, ref }));
    return answer && { sha: answer.data.sha, message: answer.data.commit.message };
  });
  const commits = [head.commit, ...(await Promise.all(fetched))];
  for (const { sha: where, message } of commits.filter((commit) => commit !== undefined)) {
    const why = trailerIn(message);
    const who = head.pushed?.sha === where ? head.pushed.login : undefined;
    if (why !== undefined) return defined({ where, why, who });
  }
  return undefined;
}

/** It has marks (report/text/inline.js). @type {(acceptance: Acceptance, language?: string) => string} */
export function renderAcceptance({ who: login, where, why = '' }, language) {
  const { gate } = wordsIn(language);
  const who = login === undefined ? undefined : plain(login, 100);
  return gate.accepted(
    where === undefined
      ? gate.byLabel({ label: LABEL, who })
      : gate.inCommit({ sha: shortSha(where), who, why: plain(why, 300) }),
  );
}

/**
 * The trailer's value; https://git-scm.com/docs/git-interpret-trailers.
 * @type {(message: string) => string | undefined}
 */
function trailerIn(message) {
  const text = message.replaceAll('\r', '').trim();
  const [, ...paragraphs] = text.split(/\n[ \t]*\n/);
  const lines = paragraphs.at(-1)?.split('\n') ?? [];
  return lines.map((line) => TRAILER.exec(line)?.[1]?.trim()).findLast(Boolean);
}

/**
 * @type {(octokit: Octokit, issue: { owner: string, repo: string, issue_number: number }) => Promise<Label>}
 */
async function labelNow(octokit, issue) {
  const { data } = await octokit.rest.issues.listLabelsOnIssue({ ...issue, per_page: 100 });
  if (!data.some(({ name }) => name === LABEL)) return { isSet: false };
  const events = await octokit.paginate(octokit.rest.issues.listEvents, { ...issue, per_page: 100 });
  const setters = events.filter(
    (event) => event.event === 'labeled' && 'label' in event && event.label.name === LABEL,
  );
  return { isSet: true, who: setters.at(-1)?.actor?.login };
}

/**
 * Undefined where the API refused to answer.
 * @type {<T>(request: () => Promise<T>) => Promise<T | undefined>}
 */
async function ifAnswered(request) {
  try {
    return await request();
  } catch (error) {
    if (Object(error).status === undefined) throw error;
    return undefined;
  }
}
