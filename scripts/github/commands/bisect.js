/**
 * A search for a commit in a job: within the job's time, and answered where somebody asked for it.
 * @import { Outputs } from '../action/outputs.js'
 * @import { Search } from '../../session/experiments/bisect.js'
 * @import { Surroundings } from '../../session/experiments/experiment.js'
 */

import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { renderBisection, renderSearchComment, renderStep } from '../../report/bisection.js';
import { tryReadHead } from '../../session/results.js';
import { readBisection } from '../../store/bisection-file.js';
import { rejected, BOUNDS as RUN_BOUNDS } from '../comment/artifact.js';
import { publish } from '../action/results.js';
import { readEvent } from '../event.js';
import { postText } from '../comment/post.js';
import { print } from '../log.js';

/** A job of 90 minutes also installs before the search and reports after it. */
export const LIMIT_MINUTES = 75;

/** A stranger may have written the file; a search has a few dozen tries with few figures each. */
const BOUNDS = { bytes: 2 ** 20, values: 20_000, depth: 20 };
const MOST_STEPS = 100;

/**
 * @typedef {object} Received a search by another job
 * @property {number} pullRequest
 * @property {number} runId
 * @property {string} bad the requested later end
 * @property {string} origin the run that searched, as Markdown
 */

/** A search has its own comment, beside that of a measurement. @param {string} key the comment-key */
export const searchKey = (key) => `${key}.bisect`;

/**
 * @param {Search} search
 * @param {Surroundings} surroundings
 * @param {{ limit?: AbortSignal, hold?: typeof import('../../session/session.js').runSession }} [dependencies] limit: aborts when the
 *   time is up; hold: measures one try
 * @returns {Promise<Outputs<'run'>>}
 */
export async function searchCommit(
  search,
  { signal, ...surroundings },
  { limit = AbortSignal.timeout(LIMIT_MINUTES * 60_000), ...dependencies } = {},
) {
  const { bisect } = await import('../../session/experiments/bisect.js');
  const out = resolve(surroundings.cwd, search.state.out);
  const bisection = await bisect(search, {
    ...surroundings,
    signal: AbortSignal.any([signal, limit]),
    onStep: (step, left) => void print(`${renderStep(step, left)}\n`),
    ...dependencies,
  }).catch((error) => {
    // Every try is on the disk, and another search can resume from there.
    if (limit.aborted && !signal.aborted) return readBisection(out);
    throw error;
  });
  print(renderBisection(bisection, await tryReadHead(out)));
  const { outcome } = bisection;
  return publish(out, { commit: outcome?.code === 'found' ? outcome.commit : undefined });
}

/**
 * Reports a search: of this job, or of another job's artifact.
 * @param {{ dir: string, key: string, env: NodeJS.ProcessEnv, isPosted?: boolean, reportUrl?: string | undefined, received?: Received }} results
 * @returns {Promise<string | undefined>} the comment's URL
 * @throws {import('../../model/errors.js').UserError} where an artifact holds anything but a search that ends at `bad`
 */
export async function postSearch({ dir, key, env, isPosted = true, reportUrl, received }) {
  const { repository, ...event } = readEvent(env);
  const { pullRequest = event.pullRequest, runId = Number(env.GITHUB_RUN_ID), bad, origin } = received ?? {};
  const bisection = await readBisection(dir, received && BOUNDS);
  if (bad !== undefined && (bisection.bad !== bad || bisection.steps.length > MOST_STEPS))
    throw rejected(`its search has ${bisection.steps.length} tries and ends at ${bisection.bad}`);
  // These commands finish the search locally, in a checkout that has its commits.
  const resume = [
    `gh run download ${runId} --repo ${repository} --name perf-results-${key} --dir perf-results`,
    'perf-action bisect --resume perf-results',
  ];
  const run = await tryReadHead(dir, received && RUN_BOUNDS);
  const text = renderSearchComment(bisection, { run, resume, origin, reportUrl });
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${text}\n`);
  if (!isPosted || pullRequest === undefined) return undefined;
  return postText({ text, key: searchKey(key), env, pullRequest });
}
