/** Git, asked in words. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { allowedEnvironment } from './process/environment.js';

/** Git's own variables, and how ssh finds its agent. */
const OWN = ['GIT_*', 'GIT_ASKPASS', 'SSH_ASKPASS', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GNUPGHOME'];

/** Numbered, so that git refuses all where one is missing. */
const SETTING = /^GIT_CONFIG_/;

/** A new repository, a clone and a submodule would copy a folder that on hosted runners anybody can write to, with hooks and settings. */
const WITHOUT_TEMPLATE = { GIT_TEMPLATE_DIR: '' };

/** A listing of a large repository's files is megabytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Hooks and filters of the checkout may run whatever git does: no secret is theirs but what git itself asks for.
 * @param {NodeJS.ProcessEnv} caller
 * @returns {NodeJS.ProcessEnv}
 */
export function gitEnvironment(caller) {
  const settings = Object.entries(caller).filter(([name]) => SETTING.test(name));
  return { ...allowedEnvironment(caller, OWN), ...Object.fromEntries(settings) };
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, signal?: AbortSignal }} [options]
 * @returns {Promise<string>} what it printed, trimmed
 * @throws {Error} with git's own last line as message, and all it printed as cause
 */
export async function git(cwd, args, { env = gitEnvironment(process.env), signal } = {}) {
  try {
    const { stdout } = await promisify(execFile)('git', args, {
      cwd,
      env: { ...env, ...WITHOUT_TEMPLATE },
      signal,
      maxBuffer: MOST_BYTES,
    });
    return stdout.trim();
  } catch (error) {
    const { code, stdout = '', stderr = '', message } = /** @type {any} */ (error);
    if (code === 'ENOENT') throw new Error('git is not installed: apt-get install git');
    throw new Error(stderr.trim().split('\n').at(-1) || message, { cause: `${stdout}${stderr}` });
  }
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @returns {Promise<string | undefined>} undefined where git, the repository or what was asked for is missing
 */
export async function tryGit(cwd, ...args) {
  return git(cwd, args).catch(() => undefined);
}
