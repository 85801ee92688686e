/** The commit a pull request is measured against, also in a checkout that holds nothing but its last commit. */

import { git, gitEnvironment, tryGit } from '../../system/git.js';
import { withCredentials } from '../credentials.js';
import { readEvent } from '../event.js';
import { readSiteMerge } from './merge-commit.js';

/** How much history is fetched, until the two sides meet in it; the last is all of it. */
const DEPTHS = [1, 50, 1000, 2 ** 31 - 1];

/**
 * Of the merge commit that the site made for the pull request it is what it was merged into: the event may tell an older
 * tip, and what others have merged since is no doing of the pull request. A checkout of the head itself is measured
 * against the commit it branched off.
 * @param {NodeJS.ProcessEnv} env a step's
 * @param {string} cwd inside the checkout
 * @returns {Promise<{ sha: string } | { none: string }>} none: why there is nothing to measure against
 */
export async function findBase(env, cwd) {
  const { baseSha } = readEvent(env);
  if (baseSha === undefined) return { none: 'the event that started the job has no base' };
  if ((await tryGit(cwd, 'rev-parse', '--git-dir')) === undefined)
    return { none: `there is no checkout in ${cwd}; add actions/checkout before this step` };
  const merge = await readSiteMerge(env, cwd);
  if (merge) return bring(merge.into, cwd, env);
  const known = await tryGit(cwd, 'merge-base', 'HEAD', baseSha);
  if (known) return { sha: known };
  const head = await git(cwd, ['rev-parse', 'HEAD']);
  let problem = 'they have no common history';
  for (const depth of DEPTHS) {
    try {
      await fetchCommits(cwd, [`--depth=${depth}`, 'origin', head, baseSha], env);
    } catch (error) {
      problem = /** @type {Error} */ (error).message;
      break;
    }
    const found = await tryGit(cwd, 'merge-base', 'HEAD', baseSha);
    if (found) return { sha: found };
  }
  return cannotBeHad(baseSha, problem);
}

/**
 * @param {string} sha
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ sha: string } | { none: string }>}
 */
async function bring(sha, cwd, env) {
  if ((await tryGit(cwd, 'cat-file', '-e', `${sha}^{tree}`)) !== undefined) return { sha };
  try {
    await fetchCommits(cwd, ['--depth=1', 'origin', sha], env);
    return { sha };
  } catch (error) {
    return cannotBeHad(sha, /** @type {Error} */ (error).message);
  }
}

/**
 * @param {string} sha
 * @param {string} problem
 */
function cannotBeHad(sha, problem) {
  return { none: `the base ${sha} could not be fetched: ${problem}; check out with fetch-depth: 0` };
}

/**
 * The checkout's own credentials first; where it kept none, the step's token.
 * @param {string} cwd
 * @param {string[]} what
 * @param {NodeJS.ProcessEnv} env
 */
async function fetchCommits(cwd, what, env) {
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...what];
  const quiet = { ...process.env, ...env, GIT_TERMINAL_PROMPT: '0' };
  try {
    await git(cwd, fetch, { env: gitEnvironment(quiet) });
  } catch (error) {
    if (!env.PERF_GITHUB_TOKEN) throw error;
    await git(cwd, fetch, { env: withCredentials(quiet) });
  }
}
