/**
 * `git bisect` in a bare repository of its own that shares the objects: the user's checkout, and a bisection that is under
 * way there, are left alone.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../model/errors.js';
import { git } from '../system/git.js';

/**
 * Where a search stands. next: the commit to try; left: how many tries it takes from here, about; found: the first bad one,
 * or those that it is among where the rest could not be tried.
 * @typedef {{ next: string, left: number } | { found: string[] }} Standing
 */

/**
 * @param {string} top the repository's folder
 * @param {{ good: string, bad: string }} ends commits
 * @param {(search: { standing: () => Promise<Standing>, mark: (commit: string, as: 'good' | 'bad' | 'skip') => Promise<void> }) => Promise<T>} work
 * @returns {Promise<T>} what the work returns, when nothing is left of the search
 * @template T
 * @throws {UserError} where git finds nothing to search
 */
export async function searching(top, { good, bad }, work) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-action-'));
  const bisect = async (/** @type {string[]} */ ...args) => {
    await git(scratch, ['bisect', ...args]).catch((error) => {
      // Where only skipped ones are left, git says so and fails; its log says it too.
      if (!/skip/.test(error.cause)) throw new UserError(`bisect: ${error.message}`);
    });
  };
  try {
    await git(top, ['clone', '--quiet', '--bare', '--shared', '--', top, scratch]);
    await bisect('start', bad, good);
    return await work({
      mark: (commit, as) => bisect(as, commit),
      standing: async () => {
        const found = [
          ...(await git(scratch, ['bisect', 'log'])).matchAll(/^# .*first bad commit: \[(\w+)\]/gm),
        ];
        if (found.length > 0) return { found: found.map(([, commit = '']) => commit) };
        const known = await git(scratch, ['for-each-ref', '--format=%(objectname)', 'refs/bisect/good-*']);
        const range = ['refs/bisect/bad', '--not', ...known.split('\n')];
        const vars = await git(scratch, ['rev-list', '--bisect-vars', ...range]);
        const left = Number(/bisect_steps=(\d+)/.exec(vars)?.[1]) + 1;
        return { next: await git(scratch, ['rev-parse', 'BISECT_HEAD']), left };
      },
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
