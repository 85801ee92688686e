/** `git bisect` in a bare repository that shares the objects: the user's checkout, and a bisection in it, stay as they are. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { git } from '../../system/git.js';

/**
 * The position of a search. next: the commit to try; left: about how many tries remain; culprits: the first bad commit, or
 * the candidates where the rest could not be tried.
 * @typedef {{ next: string, left: number } | { culprits: string[] }} Position
 */

/**
 * @template T
 * @param {string} top the repository's folder
 * @param {{ good: string, bad: string }} ends commits
 * @param {(search: { position: () => Promise<Position>, mark: (commit: string, as: 'good' | 'bad' | 'skip') => Promise<void> }) => Promise<T>} work
 * @returns {Promise<T>} what the work returns, after the search is removed
 * @throws {UserError} where git finds nothing to search
 */
export async function withGitBisect(top, { good, bad }, work) {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-action-'));
  const bisect = async (/** @type {string[]} */ ...args) => {
    await git(scratch, ['bisect', ...args]).catch((error) => {
      // Git fails where only skipped commits are left, and its log names them.
      if (!/skip/.test(error.cause)) throw new UserError(`bisect: ${error.message}`);
    });
  };
  const position = async () => {
    const log = await git(scratch, ['bisect', 'log']);
    // Lines of other commits contain their subjects.
    const named = [...log.matchAll(/^# (?:possible )?first bad commit: \[(\w+)\]/gm)];
    if (named.length > 0) return { culprits: named.map(([, commit = '']) => commit) };
    const goodCommits = await git(scratch, ['for-each-ref', '--format=%(objectname)', 'refs/bisect/good-*']);
    const range = ['refs/bisect/bad', '--not', ...goodCommits.split('\n')];
    const vars = await git(scratch, ['rev-list', '--bisect-vars', ...range]);
    const left = Number(/bisect_steps=(\d+)/.exec(vars)?.[1]) + 1;
    return { next: await git(scratch, ['rev-parse', 'BISECT_HEAD']), left };
  };
  try {
    await git(top, ['clone', '--quiet', '--bare', '--shared', '--', top, scratch]);
    await bisect('start', bad, good);
    return await work({ position, mark: (commit, as) => bisect(as, commit) });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
