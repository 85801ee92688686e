/** Copies of sources that no git knows: a folder by itself, or the workspace that it is part of. */

import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cacheFolder } from '../install/download-cache.js';
import { openHome } from './build-cache.js';
import { MADE } from '../runtimes.js';
import { shortHash } from './worktrees.js';
import { workspaceOf } from '../install/workspaces.js';

/** What is no source at any depth. */
const NO_SOURCES = [...MADE, '.git', '.cache', 'perf-results'];

/**
 * @param {string} path a folder
 * @param {{ env: NodeJS.ProcessEnv, variant: string, out: string }} context variant: tells several copies of one content
 *   apart; out: the folder of results, which is no source
 * @returns {Promise<{ home: string, inside: string }>} inside: where in its tree the folder is
 */
export async function copyOf(path, { env, variant, out }) {
  const folder = realpathSync(path);
  const top = workspaceOf(folder) ?? folder;
  const files = filesOf(top, [cacheFolder(env), out]);
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = lstatSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  const state = `${hash.digest('hex').slice(0, 16)}${variant}`;
  const home = await openHome(cacheFolder(env, 'copies', shortHash(top), state), {
    async make(tree) {
      for (const file of files) copyOne(file, join(tree, relative(top, file)));
    },
  });
  return { home, inside: relative(top, folder) };
}

/**
 * Node's own copying follows links from Node 26 on, and fails on those that lead nowhere.
 * @param {string} file or link
 * @param {string} target
 */
function copyOne(file, target) {
  if (!lstatSync(file).isSymbolicLink()) return cpSync(file, target, { preserveTimestamps: true });
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(readlinkSync(file), target);
}

/**
 * @param {string} folder
 * @param {string[]} left folders that are passed over
 * @returns {string[]} files and links, sorted
 */
function filesOf(folder, left) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (NO_SOURCES.includes(entry.name) || left.includes(path)) return [];
      if (entry.isDirectory()) return filesOf(path, left);
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    });
}
