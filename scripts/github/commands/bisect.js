/**
 * A search for a commit in a job: measured within a job's time, and told where it was asked for.
 * @import { Context, Outputs } from '../action/steps.js'
 */

import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { unescaped } from '../../report/render/escape.js';
import { renderBisection, renderSearchComment, renderStep } from '../../report/bisection.js';
import { wordsIn } from '../../report/text/words.js';
import { bisect } from '../../session/bisect.js';
import { BISECTION, readBisection } from '../../store/bisection-file.js';
import { readEvent } from '../event.js';
import { postText } from '../comment/post.js';
import { print, progress } from '../log.js';

/** How long a search may take, so that a job of 90 minutes has the time to install before it and to tell after it. */
export const LIMIT_MINUTES = 75;

/** Of a file that a stranger may have written: a search takes some dozen tries, with few figures each. */
const BOUNDS = { bytes: 2 ** 20, values: 20_000, depth: 20 };
const MOST_STEPS = 100;

/**
 * Its comment stays beside the one of a measurement.
 * @param {string} key the comment-key
 */
export const searchKey = (key) => `${key}.bisect`;

/**
 * @param {Context} context env.PERF_BISECT: the good commit; the bad one is what is checked out; otherwise as of `run`
 * @param {{ limit?: AbortSignal, hold?: NonNullable<Parameters<typeof bisect>[1]['hold']> }} [means] limit: when its time is up; hold: measures one try
 * @returns {Promise<Outputs>}
 */
export async function searchCommit(
  { env, signal },
  { limit = AbortSignal.timeout(LIMIT_MINUTES * 60_000), ...means } = {},
) {
  const {
    PERF_OPTIONS = '{}',
    PERF_DIRECTORY = '',
    PERF_OUT = '',
    PERF_BISECT = '',
    RUNNER_ENVIRONMENT,
  } = env;
  const found = await bisect(
    { good: PERF_BISECT, bad: 'HEAD', options: JSON.parse(PERF_OPTIONS) },
    {
      ...{ cwd: PERF_DIRECTORY, env, stderr: progress, signal: AbortSignal.any([signal, limit]) },
      ...(RUNNER_ENVIRONMENT && { runner: RUNNER_ENVIRONMENT }),
      onStep: (step, left) => void print(`${renderStep(step, left, wordsIn())}\n`),
      ...means,
    },
  ).catch((error) => {
    // Every try is on the disk, and the next search can go on from there.
    if (limit.aborted && !signal.aborted) return readBisection(PERF_OUT);
    throw error;
  });
  print(unescaped(renderBisection(found, wordsIn(found.language))));
  return outputsOf(PERF_OUT, found);
}

/**
 * @param {string} dir where the search stands, finished or not
 * @param {import('../../types.js').Bisection} found
 * @returns {Outputs} commit: where one was found
 */
export function outputsOf(dir, { outcome }) {
  return { 'results-path': dir, ...(outcome?.code === 'found' && { commit: outcome.commit }) };
}

/**
 * @param {{ dir: string, key: string, env: NodeJS.ProcessEnv, isPosted: boolean, reportUrl?: string | undefined }} results
 * @returns {Promise<Outputs>} comment-url: where there is one
 */
export async function tellSearch({ dir, key, env, isPosted, reportUrl }) {
  const text = renderSearchComment(await readBisection(dir), {
    resume: resumeLines(env, { key, runId: Number(env.GITHUB_RUN_ID) }),
    reportUrl,
  });
  return post(text, { key, env, isPosted });
}

/**
 * @param {Buffer} content of the artifact's file
 * @param {{ key: string, env: NodeJS.ProcessEnv, pullRequest: number, runId: number, bad: string, origin: string, reportUrl: string }} from
 *   bad: the later end that was asked for; origin: where the search was done, as Markdown
 * @returns {Promise<Outputs>}
 * @throws {UserError} for what is no search, or of other commits
 */
export async function postSearch(content, { key, env, pullRequest, runId, bad, origin, reportUrl }) {
  const dir = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'perf-received-'));
  try {
    await writeFile(join(dir, BISECTION), content);
    const found = await readBisection(dir, BOUNDS);
    if (found.bad !== bad || found.steps.length > MOST_STEPS)
      throw new UserError(
        `the artifact was rejected: its search has ${found.steps.length} tries and ends at ${found.bad}; none of it was used`,
      );
    const resume = resumeLines(env, { key, runId });
    const text = renderSearchComment(found, { resume, origin, reportUrl });
    return await post(text, { key, env, isPosted: true, pullRequest });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string} text
 * @param {{ key: string, env: NodeJS.ProcessEnv, isPosted: boolean, pullRequest?: number }} where
 * @returns {Promise<Outputs>}
 */
async function post(text, { key, env, isPosted, pullRequest = readEvent(env).pullRequest }) {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${text}\n`);
  if (!isPosted || pullRequest === undefined) return {};
  const posted = await postText({ text, key: searchKey(key), env, pullRequest });
  return 'url' in posted ? { 'comment-url': posted.url } : {};
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {{ key: string, runId: number }} artifact
 * @returns {string[]} what finishes a search at home, in a checkout that has its commits
 */
function resumeLines(env, { key, runId }) {
  const { repository } = readEvent(env);
  return [
    `gh run download ${runId} --repo ${repository} --name perf-results-${key} --dir perf-results`,
    'perf-action bisect --resume perf-results',
  ];
}
