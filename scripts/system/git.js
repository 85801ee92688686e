import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { allowedEnvironment } from './process/allowed-environment.js';

/** Git's variables, and how ssh finds its agent. */
const OWN = ['GIT_*', 'GIT_ASKPASS', 'SSH_ASKPASS', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GNUPGHOME'];

/** A remote that has pages: host and path, without user, password and ".git". */
const ADDRESS =
  /^(?:https?:\/\/(?:[^@/]*@)?|git@|ssh:\/\/git@)([\w.-]+)[:/]([\w-][\w.-]*(?:\/[\w-][\w.-]*?)+)(?:\.git)?\/?$/;
/** They are numbered, and git refuses all if one is missing. */
const SETTING = /^GIT_CONFIG_/;
/** Git copies a template's hooks and settings, and programs on a hosted runner can write to that folder. */
const WITHOUT_TEMPLATE = { GIT_TEMPLATE_DIR: '' };
/** The list of a large repository's files has megabytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Hooks and filters get only git's secrets. @type {(caller: NodeJS.ProcessEnv) => NodeJS.ProcessEnv} */
export function gitEnvironment(caller) {
  const settings = Object.entries(caller).filter(([name]) => SETTING.test(name));
  return { ...allowedEnvironment(caller, OWN), ...Object.fromEntries(settings) };
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>} what it printed, trimmed
 * @throws {Error} with the last line that git printed as message, and all it printed as cause
 */
export async function git(cwd, args, { env = gitEnvironment(process.env) } = {}) {
  try {
    const { stdout } = await promisify(execFile)('git', args, {
      cwd,
      env: { ...env, ...WITHOUT_TEMPLATE },
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
 * Undefined if git, repository or object is missing.
 * @type {(cwd: string, ...args: string[]) => Promise<string | undefined>}
 */
export async function tryGit(cwd, ...args) {
  return git(cwd, args).catch(() => undefined);
}

/**
 * Its hash; undefined outside a repository, too.
 * @type {(ref: string, cwd: string) => Promise<string | undefined>}
 */
export function commitNamed(ref, cwd) {
  return tryGit(cwd, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
}

/** Returns paths from the top. @type {(top: string, from: string, to: string) => Promise<string[]>} */
export async function changedFiles(top, from, to) {
  const names = await git(top, ['diff', '--name-only', '--no-renames', '-z', from, to]);
  return names.split('\0').filter(Boolean);
}

/**
 * The page of the repository that it is a checkout of: "https://github.com/owner/name".
 * @type {(cwd: string) => Promise<string | undefined>}
 */
export async function siteOf(cwd) {
  const address = await tryGit(cwd, 'remote', 'get-url', 'origin');
  const [, host, path] = ADDRESS.exec(address ?? '') ?? [];
  return host && path && `https://${host}/${path}`;
}
