/** What lets git speak to the site on behalf of a step, without a trace in any file; and the trace that a checkout leaves. */

import { gitEnvironment, tryGit } from '../system/git.js';
import { readEvent } from './event.js';

/**
 * @param {NodeJS.ProcessEnv} env a step's
 * @returns {NodeJS.ProcessEnv} git's, with the step's token as its credential for the site, where it has one
 */
export function withCredentials(env) {
  const own = gitEnvironment(env);
  const token = env.PERF_GITHUB_TOKEN;
  if (!token) return own;
  const place = Number(env.GIT_CONFIG_COUNT ?? 0);
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    ...own,
    GIT_CONFIG_COUNT: String(place + 1),
    [`GIT_CONFIG_KEY_${place}`]: `http.${readEvent(env).serverUrl}/.extraheader`,
    [`GIT_CONFIG_VALUE_${place}`]: `AUTHORIZATION: basic ${credentials}`,
  };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} the repository's address, as git wants it
 */
export function repositoryUrl(env) {
  const { serverUrl, repository } = readEvent(env);
  return `${serverUrl}/${repository}.git`;
}

/**
 * actions/checkout writes its token as a header into the repository's configuration, or into a file that this includes.
 * @param {string} directory in a checkout
 * @returns {Promise<boolean>} whether measured code could read it there, or in a worktree
 */
export async function keepsToken(directory) {
  const headers = ['--includes', '--name-only', '--get-regexp', '^http\\..*\\.extraheader$'];
  return !!(await tryGit(directory, 'config', '--local', ...headers));
}
