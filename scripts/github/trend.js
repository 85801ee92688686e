/**
 * Figures over time, for github-action-benchmark in a step of the caller's own: an action that named it could not be used
 * where only GitHub's own actions are allowed, whether it was asked for a trend or not.
 * @import { Run } from '../types.js'
 */

import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.js';
import { renderBenchmarkAction } from '../report/benchmark-action.js';
import { changeBranch } from '../store/history-branch.js';
import { repositoryUrl, withCredentials } from './credentials.js';
import { isOfMain } from './event.js';
import { notice, print } from './say.js';

/**
 * @param {NodeJS.ProcessEnv} env a step's
 * @param {string} dir the result folder
 * @param {Run} run
 * @returns {Promise<Record<string, string>>} throughput, p99: the files it reads, by their names in dir. Nothing where there is nothing to keep,
 *   or no place
 */
export async function writeTrend(env, dir, run) {
  if (!isOfMain(env)) return {};
  const charts = Object.entries(renderBenchmarkAction(run)).filter(([, points]) => points.length > 0);
  if (charts.length === 0) return {};
  const problem = await problemOf(env);
  if (problem !== undefined) {
    notice(`The trend was not stored: ${problem}`, { title: 'perf-action' });
    return {};
  }
  /** @type {Record<string, string>} */
  const files = {};
  for (const [name, points] of charts) {
    const file = `trend-${name}.json`;
    await writeFile(join(dir, file), JSON.stringify(points, null, 2));
    files[name] = file;
  }
  print(
    'The outputs trend-throughput and trend-p99 name the figures; docs/recipes/main.yml has the job that draws them.\n',
  );
  return files;
}

/**
 * Its first run wants the branch to be there, and each one that it may be written to.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} why nothing can be kept
 */
async function problemOf(env) {
  const branch = { remote: repositoryUrl(env), branch: 'gh-pages', env: withCredentials(env) };
  try {
    await changeBranch({ ...branch, message: 'a place for the trend' }, async (dir) => {
      if (readdirSync(dir).length === 1) await writeFile(join(dir, '.nojekyll'), '');
    });
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
