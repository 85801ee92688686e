/**
 * Fetches from the job's repository into a checkout. Whoever could write the checkout's settings could make
 * git run a program: so a git in our own repository gets the token, and the one in the checkout none.
 */

import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inOwnRepository } from '../../history/branch.js';
import { git, gitEnvironment, tryGit } from '../../system/git.js';
import { repositoryUrl, withCredentials } from '../credentials.js';

/**
 * Tries without the step's token first. depth: of history; wanted: commits and references of the remote, and
 * what they are called in the checkout, empty for no name.
 * @type {(cwd: string, what: { depth?: number, wanted: Record<string, string> }, env: NodeJS.ProcessEnv) =>
 *   Promise<void>}
 * @throws {Error} with the last line that git printed
 */
export async function fetchInto(cwd, what, env) {
  const caller = { ...process.env, ...env };
  try {
    await fetchAs(gitEnvironment(caller), { ...what, cwd, url: repositoryUrl(env) });
  } catch (error) {
    if (!env.PERF_GITHUB_TOKEN) throw error;
    await fetchAs(withCredentials(caller), { ...what, cwd, url: repositoryUrl(env) });
  }
}

/**
 * @param {NodeJS.ProcessEnv} env of git
 * @param {Parameters<typeof fetchInto>[1] & { cwd: string, url: string }} what
 */
async function fetchAs(env, { cwd, url, depth = 1, wanted }) {
  const pathOf = async (/** @type {string} */ name) =>
    resolve(cwd, await git(cwd, ['rev-parse', '--git-path', name]));
  const shallow = await pathOf('shallow');
  const objects = await pathOf('objects');
  const head = await tryGit(cwd, 'rev-parse', '--verify', '--quiet', 'HEAD');
  const named = Object.entries(wanted).map(([source, target], place) => ({
    source,
    between: `refs/perf/${place}/${source.endsWith('*') ? '*' : 'one'}`,
    target: target && `:${target}`,
  }));
  await inOwnRepository({ branch: 'main', env }, async (dir, run) => {
    // What the checkout has need not be sent again.
    writeFileSync(join(dir, '.git/objects/info/alternates'), `${objects}\n`);
    if (existsSync(shallow)) copyFileSync(shallow, join(dir, '.git/shallow'));
    if (head) await run('update-ref', 'refs/perf/head', head);
    const flags = ['--quiet', '--no-tags', `--depth=${depth}`];
    await run('fetch', ...flags, url, ...named.map(({ source, between }) => `+${source}:${between}`));
    const refspecs = named.map(({ between, target }) => `+${between}${target}`);
    await git(cwd, ['fetch', ...flags, '--no-recurse-submodules', dir, ...refspecs], {
      env: { ...gitEnvironment(process.env), GIT_ALLOW_PROTOCOL: 'file' },
    });
  });
}
