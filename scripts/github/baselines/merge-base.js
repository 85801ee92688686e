/** The commits that a job measures against, in shallow checkouts too. */

import { otherPackage } from '../../session/library-sides.js';
import { parseVersions } from '../../session/other-versions.js';
import { commitNamed, git, tryGit } from '../../system/git.js';
import { readEvent, readHead } from '../event.js';
import { fetchInto } from './fetch.js';

/** Commits of history to fetch until the two sides meet; the last depth is all of it. */
const DEPTHS = [1, 50, 1000, 2 ** 31 - 1];
/** As `fetch-depth: 0` brings it. */
const EVERYTHING = {
  depth: DEPTHS.at(-1),
  wanted: { 'refs/heads/*': 'refs/remotes/origin/*', 'refs/tags/*': 'refs/tags/*' },
};

/**
 * For GitHub's merge commit of a pull request: the commit it was merged into, since the event may name an
 * older tip and the pull request is not to blame for what others merged since. For the head itself: the
 * commit it branched off. `none` says why there is nothing to measure against.
 * @type {(env: NodeJS.ProcessEnv, cwd: string) => Promise<{ sha: string } | { none: string }>}
 */
export async function findBase(env, cwd) {
  const { baseSha } = readEvent(env);
  if (baseSha === undefined) return { none: 'the event that started the job has no base' };
  if ((await tryGit(cwd, 'rev-parse', '--git-dir')) === undefined)
    return { none: `there is no checkout in ${cwd}; add actions/checkout before this step` };
  const merge = await readMergeCommit(env, cwd);
  try {
    if (merge) {
      const isThere = (await tryGit(cwd, 'cat-file', '-e', `${merge.into}^{tree}`)) !== undefined;
      if (!isThere) await fetchInto(cwd, { wanted: { [merge.into]: '' } }, env);
      return { sha: merge.into };
    }
    const head = await git(cwd, ['rev-parse', 'HEAD']);
    for (const depth of [0, ...DEPTHS]) {
      if (depth > 0) await fetchInto(cwd, { depth, wanted: { [head]: '', [baseSha]: '' } }, env);
      const sha = await tryGit(cwd, 'merge-base', 'HEAD', baseSha);
      if (sha) return { sha };
    }
    throw new Error('they have no common history');
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const sha = merge?.into ?? baseSha;
    return { none: `the base ${sha} could not be fetched: ${message}; check out with fetch-depth: 0` };
  }
}

/**
 * The merge commit that GitHub creates for a pull request and checks out. No branch names it. The head was
 * merged into `into`; undefined where something else is checked out.
 * @type {(env: NodeJS.ProcessEnv, cwd: string) => Promise<{ into: string, head: string } | undefined>}
 */
export async function readMergeCommit(env, cwd) {
  // Git's other commands leave out parents that a shallow checkout lacks.
  const [header = ''] = ((await tryGit(cwd, 'cat-file', 'commit', 'HEAD')) ?? '').split('\n\n');
  const [into, head] = [...header.matchAll(/^parent (\S+)$/gm)].map(([, sha = '']) => sha);
  return into !== undefined && head !== undefined && head === readHead(env).sha ? { into, head } : undefined;
}

/**
 * Fetches a commit, a branch or a tag that the checkout lacks, as in `--against`. What the remote has no name
 * for, like `HEAD~3`, needs the whole history. What cannot be fetched is left to whoever resolves it.
 * @type {(ref: string, cwd: string, env: NodeJS.ProcessEnv) => Promise<void>}
 */
export async function fetchRef(ref, cwd, env) {
  if (ref === 'self' || (await commitNamed(ref, cwd)) || (await commitNamed(`origin/${ref}`, cwd))) return;
  try {
    await fetchInto(cwd, { wanted: { [ref]: `refs/remotes/origin/${ref}` } }, env);
  } catch {
    if (!parseVersions(ref) && !otherPackage({ against: ref }))
      await fetchInto(cwd, EVERYTHING, env).catch(() => {});
  }
}
