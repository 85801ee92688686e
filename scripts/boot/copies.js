/**
 * A copy of a server's sources for every version of Node it runs under, so that what is installed and built for one
 * (native modules above all) does not overwrite what another needs.
 * @import { Server } from '../types.js'
 */

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { tryGit } from '../git.js';
import { cacheFolder } from './cache.js';
import { NO_SOURCES, sourcesOf } from './sources.js';

/** A copy that no run asked for in this time is thrown away. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * The whole repository is copied, as a server may need what lies beside its folder; what git ignores is not.
 * @param {Server} server
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Server>} the same in its copy; a server that is neither installed nor built stays where it is
 */
export async function inOwnCopy(server, env) {
  if (server.install === undefined && server.build === undefined) return server;
  const folder = realpathSync(server.folder);
  const { top, files } = await sourcesAround(folder);
  const copies = cacheFolder(env, 'copies');
  const home = join(
    copies,
    createHash('sha256').update(`${folder}\0${server.id}`).digest('hex').slice(0, 16),
  );
  mkdirSync(home, { recursive: true });
  const cache = `${relative(top, cacheFolder(env))}/`;
  mirror(
    top,
    files.filter((file) => !file.startsWith(cache)),
    home,
  );
  utimesSync(home, new Date(), new Date());
  forgetOld(copies);
  return { ...server, folder: join(home, 'tree', relative(top, folder)) };
}

/**
 * @param {string} folder
 * @returns {Promise<{ top: string, files: string[] }>} files: from top; folders among them are submodules
 */
async function sourcesAround(folder) {
  const top = await tryGit(folder, 'rev-parse', '--show-toplevel');
  const listed = top && (await tryGit(top, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'));
  const files = listed?.split('\0').filter(Boolean) ?? [];
  const below = top === folder ? '' : `${relative(top ?? '', folder)}/`;
  // A folder that git ignores, like one in node_modules, is copied by itself.
  return top && files.some((file) => file.startsWith(below))
    ? { top, files: files.filter((file) => !file.split('/').some((part) => NO_SOURCES.includes(part))) }
    : { top: folder, files: sourcesOf(folder) };
}

/**
 * Copies what changed and removes what is gone, and leaves alone what was made in the copy.
 * @param {string} top
 * @param {string[]} files
 * @param {string} home
 */
function mirror(top, files, home) {
  const list = join(home, 'files.json');
  const tree = join(home, 'tree');
  const there = files.filter((file) => lstatSync(join(top, file), { throwIfNoEntry: false }));
  /** @type {string[]} */
  const before = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const kept = new Set(there);
  for (const file of before.filter((name) => !kept.has(name)))
    rmSync(join(tree, file), { recursive: true, force: true });
  for (const file of there.filter((name) => !isSame(join(top, name), join(tree, name)))) {
    const [source, copy] = [join(top, file), join(tree, file)];
    // A link is not copied over itself; what was made in a submodule stays.
    if (!lstatSync(source).isDirectory()) rmSync(copy, { recursive: true, force: true });
    cpSync(source, copy, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: (path) => !NO_SOURCES.includes(basename(path)),
    });
  }
  writeFileSync(list, JSON.stringify(there));
}

/**
 * @param {string} source
 * @param {string} copy
 */
function isSame(source, copy) {
  const [one, other] = [source, copy].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  return (
    one?.isFile() === true &&
    other?.isFile() === true &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs
  );
}

/** @param {string} copies */
function forgetOld(copies) {
  const old = readdirSync(copies)
    .map((name) => join(copies, name))
    .filter((home) => statSync(home).mtimeMs < Date.now() - KEPT_MS);
  for (const home of old) rmSync(home, { recursive: true, force: true });
}
