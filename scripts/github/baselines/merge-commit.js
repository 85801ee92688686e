/** The merge commit that GitHub creates for a pull request and checks out. No branch names it. */

import { tryGit } from '../../system/git.js';
import { readHead } from '../event.js';

/**
 * @param {NodeJS.ProcessEnv} env of a step
 * @param {string} cwd
 * @returns {Promise<{ into: string, head: string } | undefined>} into: the commit that the pull request's head was merged
 *   into; undefined where something else is checked out
 */
export async function readMergeCommit(env, cwd) {
  // Git's other commands leave out parents that a shallow checkout lacks.
  const [header = ''] = ((await tryGit(cwd, 'cat-file', 'commit', 'HEAD')) ?? '').split('\n\n');
  const [into, head] = [...header.matchAll(/^parent (\S+)$/gm)].map(([, sha = '']) => sha);
  return into !== undefined && head !== undefined && head === readHead(env).sha ? { into, head } : undefined;
}
