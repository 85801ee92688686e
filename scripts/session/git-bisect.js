/** `git bisect` in a bare repository that shares the objects: the user's checkout, and a bisection in it, stay as they are. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../model/errors.js';
import { git } from '../system/git.js';

/**
 * The position of a search. next: the commit to try; left: about how many tries remain; found: the first bad commit, or
 * the candidates where the rest could not be tried.
 * @typedef {{ next: string, left: number } | { found: string[] }} Standing
 */

/**
 * @template T
 * @param {string} top the repository's folder
 * @param {{ good: string, bad: string }} ends commits
 * @param {(search: { standing: () => Promise<Standing>, mark: (commit: string, as: 'good' | 'bad' | 'skip') => Promise<void> }) => Promise<T>} work
 * @returns {Promise<T>} what the work returns, after the search is removed
 * @throws {UserError} where git finds nothing to search
 */
export async function searching(top, { good, bad }, work) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-action-'));
  const bisect = async (/** @type {string[]} */ ...args) => {
    await git(scratch, ['bisect', ...args]).catch((error) => {
      // Git fails where only skipped commits are left, and its log names them.
      if (!/skip/.test(error.cause)) throw new UserError(`bisect: ${error.message}`);
    });
  };
  const standing = async () => {
    const log = await git(scratch, ['bisect', 'log']);
    const culprits = [...log.matchAll(/^# .*first bad commit: \[(\w+)\]/gm)];
    if (culprits.length > 0) return { found: culprits.map(([, commit = '']) => commit) };
    const known = await git(scratch, ['for-each-ref', '--format=%(objectname)', 'refs/bisect/good-*']);
    const range = ['refs/bisect/bad', '--not', ...known.split('\n')];
    const vars = await git(scratch, ['rev-list', '--bisect-vars', ...range]);
    const left = Number(/bisect_steps=(\d+)/.exec(vars)?.[1]) + 1;
    return { next: await git(scratch, ['rev-parse', 'BISECT_HEAD']), left };
  };
  try {
    await git(top, ['clone', '--quiet', '--bare', '--shared', '--', top, scratch]);
    await bisect('start', bad, good);
    return await work({ standing, mark: (commit, as) => bisect(as, commit) });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
