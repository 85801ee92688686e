/** @import { Run, Warning } from '../../types.js' */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../../model/errors.js';
import { changedFiles, commitNamed, git, gitEnvironment, tryGit } from '../../system/git.js';
import { cacheFolder } from '../../system/cache-folder.js';
import { withScratch } from '../../system/scratch-folder.js';
import { openBuildDir } from './build-cache.js';
import { treeOf } from './tree-record.js';
import { addWorktree, commonFolder, setCommit } from './detached-worktree.js';
import { MADE } from '../runtimes.js';

/** Installed folders belong to no commit, even if git does not ignore them. */
const WITHOUT_MADE = MADE.map((folder) => `:(exclude,glob)**/${folder}/**`);

/** The first line of a Git LFS pointer. */
const LFS_POINTER = '^version https://git-lfs.github.com/spec/v1$';

/** A clone of a single branch fetches no other one unless it is told to. */
const EVERY_BRANCH = 'origin "+refs/heads/*:refs/remotes/origin/*"';

/** folder: the checkout. @typedef {{ folder: string, buildDir: string, revision: Run['revision'] }} Tree */

/** The same content gives the same commit. */
const AUTHOR_VARIABLES = {
  GIT_AUTHOR_NAME: 'perf-action',
  GIT_AUTHOR_EMAIL: 'perf-action@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'perf-action',
  GIT_COMMITTER_EMAIL: 'perf-action@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

/**
 * Checks two states of a repository out, once for the same content, so that the next run reuses what was
 * built. The head is the working tree with its uncommitted changes, without ignored files.
 * @param {string} ref what the head is measured against
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, out: string, commit?: string }} context out: the folder of
 *   results, which the head does not contain; commit: the head instead of the working tree
 * @returns {Promise<{ top: string, base: Tree, head: Tree, changed: string[], warnings: Warning[] }>} top:
 *   the repository's folder; changed: paths that differ, relative to it
 * @throws {UserError} if there is no repository, no such commit, or a tree cannot be checked out
 */
export async function checkOutSides(ref, { cwd, env, out, commit }) {
  const { top, sha } = await resolveRef(ref, cwd);
  const current = commit === undefined ? await snapshot(top, out) : { commit, revision: { sha: commit } };
  const checkOutSide = (/** @type {string} */ label, /** @type {string} */ commit) =>
    checkOut({ top, commit, env }).catch(({ message }) => {
      throw new UserError(`--against ${ref}: the ${label} cannot be checked out: ${message}`);
    });
  const base = await checkOutSide('base', sha);
  const head = await checkOutSide('head', current.commit);
  return {
    top,
    base: { buildDir: base, folder: treeOf(base), revision: { sha, ref } },
    head: { buildDir: head, folder: treeOf(head), revision: current.revision },
    changed: await changedFiles(top, sha, current.commit),
    warnings: [...(await pointersIn(treeOf(base), 'base')), ...(await pointersIn(treeOf(head), 'head'))],
  };
}

/**
 * @param {string} ref
 * @param {string} cwd
 * @param {string} [asker] the option that messages name
 * @returns {Promise<{ top: string, sha: string }>} the repository's folder, and the commit
 * @throws {UserError}
 */
export async function resolveRef(ref, cwd, asker = '--against') {
  const top = await git(cwd, ['rev-parse', '--show-toplevel']).catch((error) => {
    const instead = asker === '--against' ? ', or use --against self' : '';
    throw new UserError(`${asker} ${ref}: ${error.message}; run this inside a git checkout${instead}`);
  });
  // A job's checkout has the branches of its remote alone.
  const sha =
    (await commitNamed(ref, top)) ??
    (await commitNamed(`origin/${ref}`, top)) ??
    (ref === 'base' ? await whereBranchBegan(top) : undefined);
  if (sha) return { top, sha };
  const shallow = (await tryGit(top, 'rev-parse', '--is-shallow-repository')) === 'true';
  const hint = shallow
    ? `this checkout is shallow: git fetch --unshallow ${EVERY_BRANCH}, or fetch-depth: 0`
    : `git branch -a and git log list the existing ones; git fetch ${EVERY_BRANCH} gets those of the remote`;
  throw new UserError(`${asker}: there is no commit "${ref}" here; ${hint}`);
}

/** The last commit in common with the main branch, by any of its usual names. @param {string} top */
async function whereBranchBegan(top) {
  for (const main of ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']) {
    const sha = await tryGit(top, 'merge-base', 'HEAD', main);
    if (sha) return sha;
  }
  return undefined;
}

/**
 * Commits the working tree through a separate index, so that neither the user's index nor a branch changes.
 * @type {(top: string, out: string) => Promise<{ commit: string, revision: Run['revision'] }>}
 */
export async function snapshot(top, out) {
  const results = relative(top, out);
  // `git add` refuses the name of an ignored folder, which is left out anyway.
  const isIgnored =
    results.startsWith('..') || (await tryGit(top, 'check-ignore', '--quiet', '--', results)) !== undefined;
  const sources = ['--', '.', ...WITHOUT_MADE, ...(isIgnored ? [] : [`:(exclude,literal)${results}`])];
  const sha = await git(top, ['rev-parse', 'HEAD']);
  const ref = await tryGit(top, 'symbolic-ref', '--short', '--quiet', 'HEAD');
  const changes = await git(top, ['status', '--porcelain', '--ignore-submodules=untracked', ...sources]);
  const revision = { sha, ...(ref && { ref }) };
  if (changes === '') return { commit: sha, revision };
  return withScratch(async (scratch) => {
    const index = resolve(top, await git(top, ['rev-parse', '--git-path', 'index']));
    const scratchIndex = join(scratch, 'index');
    const env = { ...gitEnvironment(process.env), GIT_INDEX_FILE: scratchIndex };
    if (existsSync(index)) copyFileSync(index, scratchIndex);
    await git(top, ['add', '--all', ...sources], { env });
    const tree = await git(top, ['write-tree'], { env });
    const commit = await commitTree(top, { tree, parent: sha, message: 'the working tree as measured' });
    return { commit, revision: { ...revision, dirty: true } };
  });
}

/**
 * Makes a commit that no branch names. Returns the commit.
 * @type {(top: string, content: { tree: string, parent: string, message: string }) => Promise<string>}
 */
export async function commitTree(top, { tree, parent, message }) {
  const env = { ...gitEnvironment(process.env), ...AUTHOR_VARIABLES };
  return git(top, ['commit-tree', tree, '-p', parent, '-m', message], { env });
}

/**
 * Returns the build directory that contains the checkout. `variant` distinguishes several of one content.
 * @param {{ top: string, commit: string, env: NodeJS.ProcessEnv, variant?: string }} options
 */
export async function checkOut({ top, commit, env, variant = '' }) {
  const [sha = '', tree = ''] = (await git(top, ['rev-parse', commit, `${commit}^{tree}`])).split('\n');
  const common = await commonFolder(top);
  const cache = cacheFolder(env, 'worktrees', shortHash(common));
  const buildDir = join(cache, `${tree.slice(0, 16)}${variant}`);
  const gitDir = join(buildDir, 'git');
  await openBuildDir(buildDir, async (folder) => {
    await addWorktree(top, { tree: folder, gitDir, commit: sha });
    if (!existsSync(join(folder, '.gitmodules'))) return;
    await git(folder, ['submodule', 'update', '--init', '--recursive', '--depth', '1']).catch((error) => {
      throw new Error(
        `a submodule is missing (${error.message}); check out with submodules, or remove it from .gitmodules`,
      );
    });
  });
  // Git may have removed the commit that the files were first checked out of.
  setCommit(gitDir, { common, sha });
  return buildDir;
}

/** @type {(folder: string, label: string) => Promise<Warning[]>} */
async function pointersIn(folder, label) {
  const files = (await tryGit(folder, 'grep', '-lI', '-e', LFS_POINTER))?.split('\n') ?? [];
  return files.length > 0 ? [{ code: 'lfs-missing', side: label, files }] : [];
}

/** A name for a folder. @type {(content: string | Uint8Array) => string} */
export function shortHash(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
