/**
 * The folder where a server is installed and built: a checkout or a copy of its sources, never the user's own.
 * @import { Server } from '../../types.js'
 */

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git, tryGit } from '../../system/git.js';
import { withInstall } from '../install/with-install.js';
import { treeOf } from './build-cache.js';
import { copyListed } from './copy-files.js';
import { copyOf } from './source-copy.js';
import { checkOut, snapshot } from './worktrees.js';

/** Each folder in it is a project by itself, whatever repository contains it. */
const CATALOGUE = fileURLToPath(new URL('../../../servers/', import.meta.url));

/**
 * @typedef {object} Context
 * @property {NodeJS.ProcessEnv} env
 * @property {string} out the folder of results, absolute
 * @property {Map<string, Promise<string>>} commits snapshots of working trees, which stay the same for the whole run
 */

/**
 * @param {Server} server
 * @param {Context} context
 * @returns {Promise<Server>} the same in its own folder, with the files of `copy`; without install and build it stays where it is
 * @throws {import('../../model/errors.js').UserError} for a file that cannot be copied
 */
export async function inOwnPlace(server, context) {
  const { folder, home, runtime, version, install, build } = server;
  const isMade = install !== undefined || build !== undefined;
  if (!isMade || (home !== undefined && version === undefined)) {
    copyListed(server);
    return server;
  }
  // An installation for one version of a runtime does not serve another.
  const variant = version === undefined ? '' : `-${runtime}${version}`;
  const place =
    home === undefined
      ? await placeOf(folder, { ...context, variant })
      : {
          home: await checkOut({ top: treeOf(home), commit: 'HEAD', env: context.env, variant }),
          inside: relative(treeOf(home), folder),
        };
  const tree = treeOf(place.home);
  const moved = { home: place.home, folder: resolve(tree, place.inside), origin: server.origin ?? folder };
  const placed = withInstall({ ...server, ...moved }, tree);
  copyListed(placed);
  return placed;
}

/** @param {string} folder @param {Context & { variant: string }} context */
async function placeOf(folder, { env, out, commits, variant }) {
  const top = await repositoryOf(folder);
  if (top === undefined) return copyOf(folder, { env, out, variant });
  const commit = commits.get(top) ?? snapshot(top, out).then((state) => state.commit);
  commits.set(top, commit);
  const inside = await git(folder, ['rev-parse', '--show-prefix']);
  return { home: await checkOut({ top, commit: await commit, env, variant }), inside };
}

/**
 * @param {string} folder
 * @returns {Promise<string | undefined>} undefined if a checkout would lack files: git ignores the folder, nothing was committed
 *   yet, or there are submodules
 */
async function repositoryOf(folder) {
  if (folder.startsWith(CATALOGUE)) return undefined;
  const top = await tryGit(folder, 'rev-parse', '--show-toplevel');
  if (!top || existsSync(join(top, '.gitmodules'))) return undefined;
  const head = await tryGit(top, 'rev-parse', '--verify', '--quiet', 'HEAD');
  const files = await tryGit(folder, 'ls-files', '--cached', '--others', '--exclude-standard', '--', '.');
  return head && files ? top : undefined;
}
