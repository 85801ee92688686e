/** Worktrees that the repository does not list: whatever becomes of them, nothing of them is left in the user's repository. */

import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { git, tryGit } from '../../system/git.js';

/** What a worktree of a sparse checkout takes over. */
const OWN = ['info/sparse-checkout', 'config.worktree'];

/**
 * Does what `git worktree add --detach` does, but keeps git's files for the worktree beside it, instead of in the repository: see
 * `commondir` in gitrepository-layout(5). Objects, references, settings and Git LFS files are the repository's, as in every worktree.
 * @param {string} top the repository's folder
 * @param {{ tree: string, gitDir: string, commit: string }} worktree tree: the folder for the commit's files; gitDir: for git's
 */
export async function addWorktree(top, { tree, gitDir, commit }) {
  mkdirSync(tree, { recursive: true });
  mkdirSync(gitDir, { recursive: true });
  writeFileSync(join(gitDir, 'commondir'), `${await commonFolder(top)}\n`);
  setCommit(gitDir, await git(top, ['rev-parse', commit]));
  writeFileSync(join(tree, '.git'), `gitdir: ${gitDir}\n`);
  for (const name of OWN) {
    const file = resolve(top, await git(top, ['rev-parse', '--git-path', name]));
    if (existsSync(file)) cpSync(file, join(gitDir, name));
  }
  await tryGit(gitDir, 'config', '--file', 'config.worktree', '--unset-all', 'core.worktree');
  await git(tree, ['reset', '--hard', '--quiet', '--no-recurse-submodules']);
}

/** @param {string} gitDir @param {string} sha of a commit with the same files */
export function setCommit(gitDir, sha) {
  writeFileSync(join(gitDir, 'HEAD'), `${sha}\n`);
}

/** @param {string} top @returns {Promise<string>} the folder that all worktrees of a repository share */
export async function commonFolder(top) {
  return resolve(top, await git(top, ['rev-parse', '--git-common-dir']));
}
