/** The merge commit that the site makes of a pull request and checks out, though nobody knows it by its name. */

import { tryGit } from '../../system/git.js';
import { readHead } from '../event.js';

/**
 * @param {NodeJS.ProcessEnv} env a step's
 * @param {string} cwd
 * @returns {Promise<{ into: string, head: string } | undefined>} into: what the pull request's head was merged into;
 *   undefined where something else is checked out
 */
export async function readSiteMerge(env, cwd) {
  const [into, head] = parentsIn((await tryGit(cwd, 'cat-file', 'commit', 'HEAD')) ?? '');
  return into !== undefined && head !== undefined && head === readHead(env).sha ? { into, head } : undefined;
}

/**
 * Git's own answers leave out what a shallow checkout lacks; the commit itself still names them.
 * @param {string} commit
 * @returns {string[]}
 */
function parentsIn(commit) {
  const [header = ''] = commit.split('\n\n');
  return [...header.matchAll(/^parent (\S+)$/gm)].map(([, sha = '']) => sha);
}
