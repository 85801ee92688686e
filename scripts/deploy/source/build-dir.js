/**
 * Where a server is installed and built: in a checkout or a copy of its sources, never in the user's own folder.
 * @import { Server } from '../../types.js'
 */

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git, tryGit } from '../../system/git.js';
import { withInstall } from '../install/with-install.js';
import { copyOf } from './source-copy.js';
import { treeOf } from './build-cache.js';
import { copyListed } from './copy-files.js';
import { checkOut, snapshot } from './worktrees.js';

/** Each folder here is a project by itself, whatever repository it lies in. */
const CATALOGUE = fileURLToPath(new URL('../../../servers/', import.meta.url));

/**
 * commits: of the working trees met so far, which are the same for the whole run; out: the folder of results, absolute
 * @typedef {{ env: NodeJS.ProcessEnv, out: string, commits: Map<string, Promise<string>> }} Context
 */

/**
 * @param {Server} server
 * @param {Context} context
 * @returns {Promise<Server>} the same in its place, with the files it wants copied; one that is neither installed nor
 *   built stays where it is
 * @throws {import('../../model/errors.js').UserError} for a file that cannot be copied
 */
export async function inOwnPlace(server, context) {
  const placed = await placedServer(server, context);
  copyListed(placed);
  return placed;
}

/**
 * @param {Server} server
 * @param {Context} context
 * @returns {Promise<Server>}
 */
async function placedServer(server, { env, out, commits }) {
  const { folder, home, runtime, version, install, build } = server;
  if (install === undefined && build === undefined) return server;
  if (home !== undefined && version === undefined) return server;
  // What is installed and built for one version of a runtime would not do for another.
  const variant = version === undefined ? '' : `-${runtime}${version}`;
  const { home: place, inside } =
    home === undefined
      ? await placeOf(folder, { env, out, commits, variant })
      : {
          home: await checkOut({ top: treeOf(home), commit: 'HEAD', env, variant }),
          inside: relative(treeOf(home), folder),
        };
  const moved = {
    ...server,
    home: place,
    folder: resolve(treeOf(place), inside),
    origin: server.origin ?? folder,
  };
  return withInstall(moved, treeOf(place));
}

/**
 * @param {string} folder
 * @param {Context & { variant: string }} context
 * @returns {Promise<{ home: string, inside: string }>}
 */
async function placeOf(folder, { env, out, commits, variant }) {
  const top = await repositoryOf(folder);
  if (top === undefined) return copyOf(folder, { env, out, variant });
  const known = commits.get(top) ?? snapshot(top, out).then(({ commit }) => commit);
  commits.set(top, known);
  const inside = await git(folder, ['rev-parse', '--show-prefix']);
  return { home: await checkOut({ top, commit: await known, env, variant }), inside };
}

/**
 * @param {string} folder
 * @returns {Promise<string | undefined>} undefined where a checkout of it would lack what is there: where git ignores the
 *   folder, nothing was committed yet, or submodules would have to be brought once more
 */
async function repositoryOf(folder) {
  if (folder.startsWith(CATALOGUE)) return undefined;
  const top = await tryGit(folder, 'rev-parse', '--show-toplevel');
  if (!top || existsSync(join(top, '.gitmodules'))) return undefined;
  const isCommitted = await tryGit(top, 'rev-parse', '--verify', '--quiet', 'HEAD');
  const known = await tryGit(folder, 'ls-files', '--cached', '--others', '--exclude-standard', '--', '.');
  return isCommitted && known ? top : undefined;
}
