/**
 * A search for a commit in a job: within the job's time, and answered where somebody asked for it.
 * @import { Context, Outputs } from '../action/steps.js'
 */

import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { renderBisection, renderSearchComment, renderStep } from '../../report/bisection.js';
import { wordsIn } from '../../report/text/words.js';
import { bisect } from '../../session/bisect.js';
import { BISECTION, readBisection } from '../../store/bisection-file.js';
import { readEvent } from '../event.js';
import { postText } from '../comment/post.js';
import { print, progress } from '../log.js';

/** A job of 90 minutes also installs before the search and reports after it. */
export const LIMIT_MINUTES = 75;

/** A stranger may have written the file; a search has a few dozen tries with few figures each. */
const BOUNDS = { bytes: 2 ** 20, values: 20_000, depth: 20 };
const MOST_STEPS = 100;

/** A search has its own comment, beside that of a measurement. @param {string} key the comment-key */
export const searchKey = (key) => `${key}.bisect`;

/**
 * @param {Context} context env.PERF_BISECT: the good commit; the bad one is what is checked out; otherwise as of `run`
 * @param {{ limit?: AbortSignal, hold?: NonNullable<Parameters<typeof bisect>[1]['hold']> }} [dependencies] limit: aborts when the
 *   time is up; hold: measures one try
 * @returns {Promise<Outputs>}
 */
export async function searchCommit(
  { env, signal },
  { limit = AbortSignal.timeout(LIMIT_MINUTES * 60_000), ...dependencies } = {},
) {
  const { PERF_OPTIONS = '{}', PERF_DIRECTORY: cwd = '', PERF_OUT = '', PERF_BISECT: good = '' } = env;
  const asked = { good, bad: 'HEAD', options: JSON.parse(PERF_OPTIONS) };
  const bisection = await bisect(asked, {
    cwd,
    env,
    stderr: progress,
    signal: AbortSignal.any([signal, limit]),
    ...(env.RUNNER_ENVIRONMENT && { runner: env.RUNNER_ENVIRONMENT }),
    onStep: (step, left) => void print(`${renderStep(step, left, wordsIn())}\n`),
    ...dependencies,
  }).catch((error) => {
    // Every try is on the disk, and another search can resume from there.
    if (limit.aborted && !signal.aborted) return readBisection(PERF_OUT);
    throw error;
  });
  print(renderBisection(bisection, wordsIn(bisection.language)));
  return outputsOf(PERF_OUT, bisection);
}

/** @param {string} dir of the search, finished or not @param {import('../../types.js').Bisection} bisection @returns {Outputs} */
export function outputsOf(dir, { outcome }) {
  return { 'results-path': dir, ...(outcome?.code === 'found' && { commit: outcome.commit }) };
}

/**
 * Reports a search that this job did itself.
 * @param {{ dir: string, key: string, env: NodeJS.ProcessEnv, isPosted: boolean, reportUrl?: string | undefined }} results
 * @returns {Promise<Outputs>} comment-url: where there is one
 */
export async function postOwnSearch({ dir, key, env, isPosted, reportUrl }) {
  const text = renderSearchComment(await readBisection(dir), {
    resume: resumeLines(env, { key, runId: Number(env.GITHUB_RUN_ID) }),
    reportUrl,
  });
  return post(text, { key, env, isPosted });
}

/**
 * Reports a search from another job's artifact.
 * @param {Buffer} content of the artifact's file
 * @param {{ key: string, env: NodeJS.ProcessEnv, pullRequest: number, runId: number, bad: string, origin: string, reportUrl: string }} from
 *   bad: the requested later end; origin: the run that searched, as Markdown
 * @returns {Promise<Outputs>}
 * @throws {UserError} for anything but a search that ends at `bad`
 */
export async function postSearch(content, { key, env, pullRequest, runId, bad, origin, reportUrl }) {
  const dir = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'perf-received-'));
  try {
    await writeFile(join(dir, BISECTION), content);
    const bisection = await readBisection(dir, BOUNDS);
    if (bisection.bad !== bad || bisection.steps.length > MOST_STEPS)
      throw new UserError(
        `the artifact was rejected: its search has ${bisection.steps.length} tries and ends at ${bisection.bad}; none of it was used`,
      );
    const resume = resumeLines(env, { key, runId });
    const text = renderSearchComment(bisection, { resume, origin, reportUrl });
    return await post(text, { key, env, isPosted: true, pullRequest });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @param {string} text @param {{ key: string, env: NodeJS.ProcessEnv, isPosted: boolean, pullRequest?: number }} where */
async function post(text, { key, env, isPosted, pullRequest = readEvent(env).pullRequest }) {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${text}\n`);
  if (!isPosted || pullRequest === undefined) return {};
  const posted = await postText({ text, key: searchKey(key), env, pullRequest });
  return 'url' in posted ? { 'comment-url': posted.url } : {};
}

/** Commands that finish the search locally, in a checkout that has its commits. @param {NodeJS.ProcessEnv} env @param {{ key: string, runId: number }} artifact */
function resumeLines(env, { key, runId }) {
  const { repository } = readEvent(env);
  return [
    `gh run download ${runId} --repo ${repository} --name perf-results-${key} --dir perf-results`,
    'perf-action bisect --resume perf-results',
  ];
}
