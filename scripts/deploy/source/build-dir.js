/** Where a server is installed and built. @import { Server } from '../../types.js' */

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../model/errors.js';
import { readIfThere } from '../../system/bounded-file.js';
import { git, tryGit } from '../../system/git.js';
import { workspaceOf } from '../../system/workspaces.js';
import { cacheFolder } from '../../system/cache-folder.js';
import { withInstall } from './with-install.js';
import { MADE } from '../runtimes.js';
import { openBuildDir } from './build-cache.js';
import { treeOf } from './tree-record.js';
import { checkOut, shortHash, snapshot } from './worktrees.js';

/** Each folder in it is a project by itself, whatever repository contains it. */
const CATALOGUE = fileURLToPath(new URL('../../../servers/', import.meta.url));

/** Folders that hold no sources, at any depth. */
const NO_SOURCES = [...MADE, '.git', '.cache', 'perf-results'];

/** Settings are small; data has other ways. */
const MOST_BYTES_COPIED = 16 * 1024 * 1024;

/**
 * @typedef {object} Context
 * @property {NodeJS.ProcessEnv} env
 * @property {string} out the folder of results, absolute
 * @property {Map<string, Promise<string>>} commits snapshots of working trees, the same for the whole run
 */

/**
 * A server is installed and built in a checkout or a copy of its sources, never in the user's folder.
 * @param {Server} server
 * @param {Context} context
 * @returns {Promise<Server>} in its own folder, with the files of `copy`; it stays without install and build
 * @throws {UserError} for a file that cannot be copied
 */
export async function inBuildDir(server, context) {
  const { folder, buildDir, runtime, version, packages, library, install, build } = server;
  const isMade = (install ?? build ?? packages ?? library) !== undefined;
  if (!isMade || (buildDir !== undefined && version === undefined)) {
    copyListed(server);
    return server;
  }
  // An installation for one version of a runtime or a package does not serve another.
  const isOther = Object.keys(packages ?? {}).length > 0 || library !== undefined;
  const others = isOther ? `-${shortHash(JSON.stringify([packages, library]))}` : '';
  const variant = `${version === undefined ? '' : `-${runtime}${version}`}${others}`;
  const place =
    buildDir === undefined
      ? await checkOutOrCopy(folder, { ...context, variant })
      : {
          buildDir: await checkOut({ top: treeOf(buildDir), commit: 'HEAD', env: context.env, variant }),
          inside: relative(treeOf(buildDir), folder),
        };
  const placed = withInstall({
    ...server,
    buildDir: place.buildDir,
    folder: resolve(treeOf(place.buildDir), place.inside),
    origin: server.origin ?? folder,
  });
  copyListed(placed);
  return placed;
}

/**
 * Checks out what is in git; copies the folder or the workspace of anything else. variant: a suffix of the
 * build directory, for another version of a runtime or of packages; inside: the folder's path in its tree.
 * @type {(path: string, context: Context & { variant: string }) => Promise<{ buildDir: string,
 *   inside: string }>}
 */
export async function checkOutOrCopy(path, { env, out, commits, variant }) {
  const repository = await repositoryOf(path);
  if (repository !== undefined) {
    const commit = commits.get(repository) ?? snapshot(repository, out).then((state) => state.commit);
    commits.set(repository, commit);
    const inside = await git(path, ['rev-parse', '--show-prefix']);
    return { buildDir: await checkOut({ top: repository, commit: await commit, env, variant }), inside };
  }
  const folder = realpathSync(path);
  const top = workspaceOf(folder, readIfThere) ?? folder;
  const files = filesOf(top, [cacheFolder(env), out]);
  const states = files.map((file) => {
    const { size, mtimeMs } = lstatSync(file);
    return `${file}\0${size}\0${mtimeMs}\0`;
  });
  const state = `${shortHash(states.join(''))}${variant}`;
  const buildDir = await openBuildDir(cacheFolder(env, 'copies', shortHash(top), state), async (tree) => {
    for (const file of files) copyOne(file, join(tree, relative(top, file)));
  });
  return { buildDir, inside: relative(top, folder) };
}

/**
 * The repository to check out; undefined where the folder is copied instead: git ignores it, it has no commit
 * yet, or has submodules.
 * @param {string} folder
 */
async function repositoryOf(folder) {
  if (folder.startsWith(CATALOGUE)) return undefined;
  const top = await tryGit(folder, 'rev-parse', '--show-toplevel');
  if (!top || existsSync(join(top, '.gitmodules'))) return undefined;
  const head = await tryGit(top, 'rev-parse', '--verify', '--quiet', 'HEAD');
  const files = await tryGit(folder, 'ls-files', '--cached', '--others', '--exclude-standard', '--', '.');
  return head && files ? top : undefined;
}

/** Copies `copy:`, unless it runs in the user's folder, or throws a UserError. @param {Server} server */
function copyListed({ id, folder, origin, copy = [] }) {
  if (origin === undefined) return;
  for (const file of copy) {
    const why = whyNotCopied(origin, file);
    if (why !== undefined) throw new UserError(`server "${id}": copy: ${file} cannot be copied: ${why}`);
    cpSync(join(origin, file), join(folder, file));
  }
}

/** @type {(origin: string, file: string) => string | undefined} */
function whyNotCopied(origin, file) {
  const source = join(origin, file);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (!stats) return `there is no such file in ${origin}`;
  if (!stats.isFile() || relative(realpathSync(origin), realpathSync(source)) !== join(file))
    return 'it is not a regular file inside the server’s folder';
  if (stats.size > MOST_BYTES_COPIED) return `it has more than ${MOST_BYTES_COPIED / 1024 / 1024} MB`;
  return undefined;
}

/** Node 26's cpSync follows links and fails on broken ones. @type {(file: string, target: string) => void} */
function copyOne(file, target) {
  if (!lstatSync(file).isSymbolicLink()) return cpSync(file, target, { preserveTimestamps: true });
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(readlinkSync(file), target);
}

/** Sorted files and links without those folders. @type {(folder: string, excluded: string[]) => string[]} */
function filesOf(folder, excluded) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (NO_SOURCES.includes(entry.name) || excluded.includes(path)) return [];
      if (entry.isDirectory()) return filesOf(path, excluded);
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    });
}
