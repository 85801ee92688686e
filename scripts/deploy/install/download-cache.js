/** Cache folders for downloads that every run can reuse. */

import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} inside
 * @returns {string} a folder of the user's cache (XDG Base Directory Specification), which may not exist yet
 */
export function cacheFolder(env, ...inside) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perf-action', ...inside);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} runtime
 * @param {string} version as configured: "24", "24.9", "24.9.0"
 * @returns {string} the folder whose `bin` goes first on the PATH of its servers
 */
export function runtimeHome(env, runtime, version) {
  return cacheFolder(env, runtime, `${version}-${process.platform}-${process.arch}`);
}
