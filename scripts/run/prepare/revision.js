/** @import { Run } from '../../types.js' */

import { tryGit } from '../../system/git.js';

/**
 * @param {string} cwd
 * @returns {Promise<Run['revision']>} the commit that is checked out; empty outside a checkout
 */
export async function describeRevision(cwd) {
  const [sha, ref, changes] = await Promise.all([
    tryGit(cwd, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    tryGit(cwd, 'symbolic-ref', '--short', '--quiet', 'HEAD'),
    tryGit(cwd, 'status', '--porcelain', '--untracked-files=no'),
  ]);
  return { ...(sha && { sha }), ...(ref && { ref }), ...(changes && { dirty: true }) };
}
