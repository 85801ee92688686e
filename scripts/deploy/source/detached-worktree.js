/** Worktrees that the repository does not list: whatever becomes of them, nothing is left in it. */

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { git, tryGit } from '../../system/git.js';

/** What a worktree of a sparse checkout takes over. */
const OWN = ['info/sparse-checkout', 'config.worktree'];

/**
 * Does what `git worktree add --detach` does, but keeps git's files for the worktree beside it, instead of in
 * the repository: see `commondir` in gitrepository-layout(5). Objects, references, settings and Git LFS files
 * are the repository's, as in every worktree. top: the repository's folder; tree: the folder for the commit's
 * files; gitDir: for git's.
 * @type {(top: string, worktree: { tree: string, gitDir: string, commit: string }) => Promise<void>}
 */
export async function addWorktree(top, { tree, gitDir, commit }) {
  mkdirSync(tree, { recursive: true });
  mkdirSync(gitDir, { recursive: true });
  const common = await commonFolder(top);
  writeFileSync(join(gitDir, 'commondir'), `${common}\n`);
  setCommit(gitDir, { common, sha: await git(top, ['rev-parse', commit]) });
  // JGit before 7.0, which builds of Spring Boot ask for the commit (git-commit-id-maven-plugin), knows no
  // `commondir`: it takes the folder for a repository of its own. Git reads neither file beside it.
  for (const folder of ['objects/info', 'refs']) mkdirSync(join(gitDir, folder), { recursive: true });
  writeFileSync(join(gitDir, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
  writeFileSync(join(gitDir, 'config'), `[core]\n\tbare = false\n\tworktree = ${JSON.stringify(tree)}\n`);
  writeFileSync(join(tree, '.git'), `gitdir: ${gitDir}\n`);
  for (const name of OWN) {
    const file = resolve(top, await git(top, ['rev-parse', '--git-path', name]));
    if (existsSync(file)) cpSync(file, join(gitDir, name));
  }
  await tryGit(gitDir, 'config', '--file', 'config.worktree', '--unset-all', 'core.worktree');
  await git(tree, ['reset', '--hard', '--quiet', '--no-recurse-submodules']);
}

/** The sha is of these files. @type {(gitDir: string, state: { common: string, sha: string }) => void} */
export function setCommit(gitDir, { common, sha }) {
  writeFileSync(join(gitDir, 'HEAD'), `${sha}\n`);
  // JGit asks it where the history ends. The repository may have fetched more since.
  const [shallow, own] = [join(common, 'shallow'), join(gitDir, 'shallow')];
  rmSync(own, { force: true });
  if (existsSync(shallow)) cpSync(shallow, own);
}

/** The folder that all worktrees of a repository share. @type {(top: string) => Promise<string>} */
export async function commonFolder(top) {
  return resolve(top, await git(top, ['rev-parse', '--git-common-dir']));
}
