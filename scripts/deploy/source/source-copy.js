import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cacheFolder } from '../install/download-cache.js';
import { openBuildDir } from './build-cache.js';
import { MADE } from '../runtimes.js';
import { shortHash } from './worktrees.js';
import { readIfThere } from '../../system/bounded-file.js';
import { workspaceOf } from '../../system/workspaces.js';

/** Folders that hold no sources, at any depth. */
const NO_SOURCES = [...MADE, '.git', '.cache', 'perf-results'];

/**
 * Copies sources that are not in git: a folder, or the workspace that contains it.
 * @param {string} path
 * @param {{ env: NodeJS.ProcessEnv, variant: string, out: string }} context variant: distinguishes several copies of one content;
 *   out: the folder of results, which holds no sources
 * @returns {Promise<{ buildDir: string, inside: string }>} inside: the path of the folder in its tree
 */
export async function copyOf(path, { env, variant, out }) {
  const folder = realpathSync(path);
  const top = workspaceOf(folder, readIfThere) ?? folder;
  const files = filesOf(top, [cacheFolder(env), out]);
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = lstatSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  const state = `${hash.digest('hex').slice(0, 16)}${variant}`;
  const buildDir = await openBuildDir(cacheFolder(env, 'copies', shortHash(top), state), async (tree) => {
    for (const file of files) copyOne(file, join(tree, relative(top, file)));
  });
  return { buildDir, inside: relative(top, folder) };
}

/** Node 26's cpSync follows links, and fails on broken ones. @param {string} file or link @param {string} target */
function copyOne(file, target) {
  if (!lstatSync(file).isSymbolicLink()) return cpSync(file, target, { preserveTimestamps: true });
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(readlinkSync(file), target);
}

/** @param {string} folder @param {string[]} excluded folders @returns {string[]} files and links, sorted */
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
