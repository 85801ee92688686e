/**
 * Which commit is measured, as git tells it; outside a checkout nothing is said.
 * @import { Run } from '../types.js'
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * @param {string} cwd
 * @returns {Promise<Run['revision']>}
 */
export async function describeRevision(cwd) {
  const [sha, ref, changes] = await Promise.all([
    git(cwd, 'rev-parse', 'HEAD'),
    git(cwd, 'symbolic-ref', '--short', '--quiet', 'HEAD'),
    git(cwd, 'status', '--porcelain', '--untracked-files=no'),
  ]);
  return { ...(sha && { sha }), ...(ref && { ref }), ...(changes && { dirty: /** @type {const} */ (true) }) };
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @returns {Promise<string | undefined>} undefined where git, the repository or the first commit is missing
 */
async function git(cwd, ...args) {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd });
    return stdout.trim();
  } catch {
    return undefined;
  }
}
