/** A branch of a git remote as a folder. All happens in a separate repository, away from any checkout. */

import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../model/errors.js';
import { git, gitEnvironment } from '../system/git.js';
import { withScratch } from '../system/scratch-folder.js';

const ATTEMPTS = 10;
/** The first wait is up to this; each further one up to as much more. */
const WAIT_MS = 400;

/** Neither a user's settings nor a branch's content may do more here than hold files. */
const SETTINGS = {
  'user.name': 'perf-action',
  'user.email': 'perf-action@localhost',
  'commit.gpgSign': false,
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': false,
  'core.autocrlf': false,
  'core.symlinks': false,
  // Git would run in the repository whose objects are borrowed, which has other settings.
  'core.alternateRefsCommand': 'true',
  'gc.auto': 0,
};
const FLAGS = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
/** Only these commands reach the remote. */
const REACHING = ['fetch', 'push'];
/** The other commands need nobody else's settings at all. */
const ALONE = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
/** Others, like `ext`, run programs. */
const PROTOCOLS = 'file:git:http:https:ssh';
/** A hook or a caller may have pointed these at another repository. */
const ELSEWHERE = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_NAMESPACE'];
/** Another push won (https://git-scm.com/docs/git-push#_output, and what servers say of a lost race) ... */
const RACED =
  /\[rejected\]|cannot lock ref|failed to update ref|incorrect old value|reference already exists/;
/** ... or the remote failed for a moment. */
const PASSING = /returned error: 5\d\d|hung up|timed out|early EOF/;

/** `env` may hold a token. @typedef {{ remote: string, branch: string, env: NodeJS.ProcessEnv }} Branch */
/** Runs git in a repository. @typedef {(...args: string[]) => Promise<string>} Git */

/** A checkout's remote. Throws a UserError where it has none. @type {(cwd: string) => Promise<string>} */
export async function remoteOf(cwd) {
  try {
    const address = await git(cwd, ['remote', 'get-url', 'origin']);
    if (!address.startsWith('.')) return address;
    return resolve(await git(cwd, ['rev-parse', '--show-toplevel']), address);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(
      `the branch of baselines: ${message}; run this inside a checkout with a remote origin, or store them in a folder`,
    );
  }
}

/**
 * `use` gets a folder with the branch's files, empty where there is no such branch.
 * @type {<T>(branch: Branch, use: (dir: string) => Promise<T>) => Promise<T>}
 * @throws {UserError} where the remote cannot be read
 */
export function withBranch(branch, use) {
  return inOwnRepository(branch, async (dir, run) => {
    await checkOutTip(run, branch);
    return use(dir);
  });
}

/**
 * Makes a missing branch, without a history in common with others. `change` gets a folder with the branch's
 * files, and after a lost race those that the winner left; what it returns is returned once the branch has
 * the new files. An unchanged branch is pushed all the same, which shows whether that is allowed.
 * @type {<T>(branch: Branch & { message: string }, change: (dir: string) => Promise<T>) => Promise<T>}
 * @throws {UserError} where the remote refuses
 */
export function changeBranch({ message, ...branch }, change) {
  return inOwnRepository(branch, async (dir, run) => {
    for (let attempt = 1; ; attempt++) {
      const isThere = await checkOutTip(run, branch);
      const result = await change(dir);
      await run('add', '--all', '--force');
      const changed = (await run('status', '--porcelain')) !== '';
      if (!changed && !isThere) return result;
      if (changed) await run('commit', '--quiet', '--message', message);
      try {
        await run('push', '--porcelain', branch.remote, `HEAD:refs/heads/${branch.branch}`);
        return result;
      } catch (error) {
        const output = outputOf(error);
        const isPassing = RACED.test(output) || PASSING.test(output);
        if (attempt === ATTEMPTS || !isPassing) throw refusal(branch, error);
        await setTimeout(Math.random() * WAIT_MS * attempt);
      }
    }
  });
}

/**
 * The branch is its first; commands that reach a remote get `env`, perhaps with a token.
 * @type {<T>(options: { branch: string, env: NodeJS.ProcessEnv },
 *   use: (dir: string, run: Git) => Promise<T>) => Promise<T>}
 */
export function inOwnRepository({ branch, env }, use) {
  return withScratch(async (dir) => {
    const elsewhere = Object.fromEntries(ELSEWHERE.map((name) => [name, undefined]));
    const here = { ...elsewhere, GIT_ALLOW_PROTOCOL: PROTOCOLS, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
    const reaching = { ...env, ...here };
    const alone = { ...gitEnvironment(process.env), ...here, ...ALONE };
    /** @type {Git} */
    const run = (...args) =>
      git(dir, [...FLAGS, ...args], { env: REACHING.includes(args[0] ?? '') ? reaching : alone });
    await run('init', '--quiet', `--initial-branch=${branch}`);
    return use(dir, run);
  });
}

/** Whether there is such a branch. @type {(run: Git, branch: Branch) => Promise<boolean>} */
async function checkOutTip(run, branch) {
  const tip = `+refs/heads/${branch.branch}:refs/tip`;
  try {
    await run('fetch', '--quiet', '--depth=1', '--no-tags', branch.remote, tip);
  } catch (error) {
    if (outputOf(error).includes("couldn't find remote ref")) return false;
    throw refusal(branch, error);
  }
  await run('checkout', '--quiet', '--force', '--detach', 'refs/tip');
  return true;
}

/** @type {(branch: Branch, error: unknown) => UserError} */
function refusal({ branch, remote }, error) {
  const lines = outputOf(error).split(/\s*\n\s*/);
  const reason = lines.find((line) => /^(fatal|remote: error|! ?\[)/.test(line)) ?? lines.at(-1);
  // An address may hold a password.
  const where = remote.replace(/\/\/[^/@]*@/, '//');
  return new UserError(
    `the branch ${branch} of ${where}: ${reason?.replace(/\/\/[^/@\s]*@/g, '//')}; ` +
      'reading needs a token with read access; storing needs write access and a branch that is not protected',
  );
}

/** @param {unknown} error */
function outputOf(error) {
  const { message, cause } = /** @type {Error} */ (error);
  return `${typeof cause === 'string' ? cause : ''}\n${message}`.trim();
}
