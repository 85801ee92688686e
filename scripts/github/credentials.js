/** Git's credentials for GitHub, never in a file; and whether actions/checkout left its token behind. */

import { gitEnvironment, tryGit } from '../system/git.js';
import { readEvent } from './event.js';

/** Gives git the step's token for GitHub, if any. @type {(env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv} */
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
 * Whether measured code could read a token in a checkout or in a worktree of it: actions/checkout writes its
 * token as a header into the repository's configuration or into a file that it includes.
 * @type {(directory: string) => Promise<boolean>}
 */
export async function keepsToken(directory) {
  const headers = ['--includes', '--name-only', '--get-regexp', '^http\\..*\\.extraheader$'];
  return !!(await tryGit(directory, 'config', '--local', ...headers));
}
