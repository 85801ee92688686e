/** Commits that move one package each, for `bisect --packages`: of the head's sources, named by no branch. */

import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { movedDirectly, readLock } from '../deploy/install/lock-file.js';
import { serverEnvironment } from '../deploy/process/server-environment.js';
import { addWorktree } from '../deploy/source/detached-worktree.js';
import { npmError } from '../deploy/source/fetch-library.js';
import { commitTree } from '../deploy/source/worktrees.js';
import { UserError } from '../model/errors.js';
import { changedFiles, git, tryGit } from '../system/git.js';
import { withScratch } from '../system/scratch-folder.js';

/** Lock files whose packages npm can move without installing them. */
const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
const MANIFESTS = [...LOCKS, 'package.json'];
/** Writes a version into package.json and the lock file, and runs nothing of the package. */
const LOCK_ONLY = 'install --package-lock-only --ignore-scripts --save-exact --no-audit --no-fund'.split(' ');

/** folder: in the repository. @typedef {{ folder: string, name: string, from: string, to: string }} Move */

/**
 * @param {{ base: string, head: string, top: string, env: NodeJS.ProcessEnv }} range base, head: commits
 * @returns {Promise<{ good: string, bad: string, packages: Record<string, string> }>} good: the head with the
 *   packages of the base; packages: what moved in each commit, up to bad
 * @throws {UserError} where no package moved, or npm cannot lock one
 */
export async function packageCommits({ base, head, top, env }) {
  const changed = await changedFiles(top, base, head);
  const moves = await movesBetween({ base, head, top, changed });
  if (moves.length === 0)
    throw new UserError(
      'bisect --packages: between these commits, no package-lock.json says that a package named in a package.json changed its version; without --packages, the commits are searched',
    );
  const trees = await treesOf(moves, { head, top, env });
  // If nothing else changed, the packages that no package.json names are the first step.
  const isOnlyManifests = changed.every((file) => MANIFESTS.includes(basename(file)));
  /** @type {Record<string, string>} */
  const packages = {};
  const [first = '', ...rest] = trees;
  let last = await commitTree(top, { tree: first, parent: base, message: 'other packages' });
  const good = isOnlyManifests ? base : last;
  if (isOnlyManifests) packages[last] = 'other packages';
  for (const [index, { name, from, to }] of moves.entries()) {
    const message = `${name} ${from} → ${to}`;
    last = await commitTree(top, { tree: rest[index] ?? '', parent: last, message });
    packages[last] = message;
  }
  return { good, bad: last, packages };
}

/** @type {(range: { base: string, head: string, top: string, changed: string[] }) => Promise<Move[]>} */
async function movesBetween({ base, head, top, changed }) {
  /** @type {Move[]} */
  const moves = [];
  for (const path of changed.filter((file) => LOCKS.includes(basename(file)))) {
    const texts = await Promise.all([base, head].map((commit) => tryGit(top, 'show', `${commit}:${path}`)));
    const [before, after] = texts.map((text) => (text === undefined ? undefined : readLock(path, text)));
    if (!before || !after) continue;
    const direct = movedDirectly(before, after);
    moves.push(...direct.map(({ project, ...move }) => ({ folder: join(dirname(path), project), ...move })));
  }
  return moves;
}

/**
 * The head's tree with all packages of the base, then with one more of its own each.
 * @type {(moves: Move[], at: { head: string, top: string, env: NodeJS.ProcessEnv }) => Promise<string[]>}
 */
function treesOf(moves, { head, top, env: caller }) {
  return withScratch(async (scratch) => {
    const tree = join(scratch, 'tree');
    const env = serverEnvironment(caller, { runtime: 'node', env: {} });
    await addWorktree(top, { tree, gitDir: join(scratch, 'git'), commit: head });
    const trees = [await git(tree, ['rev-parse', 'HEAD^{tree}'])];
    for (const { folder, name, from } of moves.toReversed()) {
      const line = [...LOCK_ONLY, `${name}@${from}`];
      await promisify(execFile)('npm', line, { cwd: join(tree, folder), env }).catch((error) => {
        const why = npmError(error.stderr) ?? error.message;
        throw new UserError(`bisect --packages: ${name} ${from} cannot be locked in the head: ${why}`);
      });
      await git(tree, ['add', '--update']);
      trees.unshift(await git(tree, ['write-tree']));
    }
    return trees;
  });
}
