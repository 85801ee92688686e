/** Git's credentials for GitHub, which never get into a file; and whether actions/checkout left its token in the checkout. */

import { gitEnvironment, tryGit } from '../system/git.js';
import { readEvent } from './event.js';

/** @param {NodeJS.ProcessEnv} env of a step @returns {NodeJS.ProcessEnv} git's, with the step's token, if there is one, as its credential for GitHub */
export function withCredentials(env) {
  const gitEnv = gitEnvironment(env);
  const token = env.PERF_GITHUB_TOKEN;
  if (!token) return gitEnv;
  const index = Number(env.GIT_CONFIG_COUNT ?? 0);
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    ...gitEnv,
    GIT_CONFIG_COUNT: String(index + 1),
    [`GIT_CONFIG_KEY_${index}`]: `http.${readEvent(env).serverUrl}/.extraheader`,
    [`GIT_CONFIG_VALUE_${index}`]: `AUTHORIZATION: basic ${credentials}`,
  };
}

/** The repository's address for git. @type {(env: NodeJS.ProcessEnv) => string} */
export function repositoryUrl(env) {
  const { serverUrl, repository } = readEvent(env);
  return `${serverUrl}/${repository}.git`;
}

/**
 * actions/checkout writes its token as a header into the repository's configuration or into a file that it includes.
 * @param {string} directory in a checkout
 * @returns {Promise<boolean>} whether measured code could read a token there or in a worktree
 */
export async function keepsToken(directory) {
  const headers = ['--includes', '--name-only', '--get-regexp', '^http\\..*\\.extraheader$'];
  return !!(await tryGit(directory, 'config', '--local', ...headers));
}
