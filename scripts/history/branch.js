/**
 * A branch of a git remote as a folder. Everything happens in a repository of its own, away from anybody's checkout.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../model/errors.js';
import { git, gitEnvironment } from '../system/git.js';

const ATTEMPTS = 10;
/** The first wait is up to this; each further one up to as much more. */
const WAIT_MS = 400;

/** Neither a user's settings nor a branch's content may do more here than hold files. */
const SETTINGS = [
  ...['user.name=perf-action', 'user.email=perf-action@localhost', 'commit.gpgSign=false'],
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.autocrlf=false', 'core.symlinks=false'],
  'gc.auto=0',
].flatMap((setting) => ['-c', setting]);

/** Where git speaks to no remote, it needs nobody else's settings at all. */
const ALONE = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** What speaks to the remote. */
const REACHING = ['fetch', 'push'];

/** What a hook or a caller may have pointed at another repository. */
const ELSEWHERE = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_NAMESPACE'];

/** Somebody else was quicker: https://git-scm.com/docs/git-push#_output, and what servers say of a lost race. */
const RACED =
  /\[rejected\]|cannot lock ref|failed to update ref|incorrect old value|reference already exists/;
/** The remote was not well for a moment. */
const PASSING = /returned error: 5\d\d|hung up|timed out|early EOF/;

/** remote: an address; env: what reaches it, and may hold a token. @typedef {{ remote: string, branch: string, env: NodeJS.ProcessEnv }} Branch */

/**
 * @param {string} cwd inside a checkout
 * @param {string} [name] of the remote
 * @returns {Promise<string>} where it is
 * @throws {UserError} where there is none
 */
export async function remoteOf(cwd, name = 'origin') {
  try {
    const address = await git(cwd, ['remote', 'get-url', name]);
    return address.startsWith('.')
      ? resolve(await git(cwd, ['rev-parse', '--show-toplevel']), address)
      : address;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(
      `the branch of baselines: ${message}; run this inside a checkout with a remote ${name}, or store them in a folder`,
    );
  }
}

/**
 * @template T
 * @param {Branch} branch
 * @param {(dir: string) => Promise<T>} use gets a folder with the branch's files, empty where there is no such branch
 * @returns {Promise<T>}
 * @throws {UserError} where the remote cannot be read
 */
export function withBranch(branch, use) {
  return inOwnRepository(branch, async (dir, run) => {
    await checkOutTip(run, branch);
    return use(dir);
  });
}

/**
 * A branch that is missing is made, without a history in common with others. Whoever loses a race takes what the winner
 * left and changes that. A branch that stays as it is is pushed all the same, which tells whether that is allowed.
 * @template T
 * @param {Branch & { message: string }} branch
 * @param {(dir: string) => Promise<T>} change gets a folder with the branch's files; called again after a lost race
 * @returns {Promise<T>} when the branch has it
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
        const said = outputOf(error);
        if (attempt === ATTEMPTS || !(RACED.test(said) || PASSING.test(said))) throw refusal(branch, error);
        await setTimeout(Math.random() * WAIT_MS * attempt);
      }
    }
  });
}

/**
 * @template T
 * @param {Branch} branch
 * @param {(dir: string, run: (...args: string[]) => Promise<string>) => Promise<T>} use
 */
async function inOwnRepository({ branch, env }, use) {
  const dir = await mkdtemp(join(tmpdir(), 'perf-branch-'));
  const [reaching, alone] = [here(env), { ...here(gitEnvironment(process.env)), ...ALONE }];
  /** @param {string[]} args */
  const run = (...args) =>
    git(dir, [...SETTINGS, ...args], { env: REACHING.includes(args[0] ?? '') ? reaching : alone });
  try {
    await run('init', '--quiet', `--initial-branch=${branch}`);
    return await use(dir, run);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @param {NodeJS.ProcessEnv} env */
function here(env) {
  const elsewhere = Object.fromEntries(ELSEWHERE.map((name) => [name, undefined]));
  return { ...env, ...elsewhere, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}

/**
 * @param {(...args: string[]) => Promise<string>} run
 * @param {Branch} branch
 * @returns {Promise<boolean>} whether there is such a branch
 */
async function checkOutTip(run, branch) {
  try {
    await run(
      ...['fetch', '--quiet', '--depth=1', '--no-tags', branch.remote],
      `+refs/heads/${branch.branch}:refs/tip`,
    );
  } catch (error) {
    if (outputOf(error).includes("couldn't find remote ref")) return false;
    throw refusal(branch, error);
  }
  await run('checkout', '--quiet', '--force', '--detach', 'refs/tip');
  return true;
}

/** @param {Branch} branch @param {unknown} error */
function refusal({ branch, remote }, error) {
  const lines = outputOf(error)
    .split('\n')
    .map((line) => line.trim());
  const told = lines.find((line) => /^(fatal|remote: error|! ?\[)/.test(line)) ?? lines.at(-1);
  // An address may hold a password.
  const where = remote.replace(/\/\/[^/@]*@/, '//');
  return new UserError(
    `the branch ${branch} of ${where}: ${told?.replace(/\/\/[^/@\s]*@/g, '//')}; ` +
      'reading needs a token with read access; storing needs write access and a branch that is not protected',
  );
}

/** @param {unknown} error */
function outputOf(error) {
  const { message, cause } = /** @type {Error} */ (error);
  return `${typeof cause === 'string' ? cause : ''}\n${message}`.trim();
}
