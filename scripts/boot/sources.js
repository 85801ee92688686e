/** What of a server's folder is source, and what installs and builds left there. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What installs and builds leave behind at the top of a server's folder. */
export const PRODUCED = ['node_modules', 'dist', 'build', 'target', 'vendor', 'bin'];
/** Those of them that many projects write by hand: ours to pass over only where the build made them. */
const PERHAPS_SOURCES = ['build', 'vendor', 'bin'];
/** What is no source at any depth. */
export const NO_SOURCES = ['node_modules', '.git', '.cache', 'perf-results'];

/** Lies inside each produced folder, so that it is thrown away together with what it vouches for. */
export const STAMP = '.perf-action-stamp';

/**
 * @param {string} folder
 * @param {string} [below]
 * @returns {string[]} relative paths, sorted
 */
export function sourcesOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.includes(name))
    .filter(({ name }) => below !== '' || !PRODUCED.includes(name) || isSource(folder, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return sourcesOf(folder, path);
      return isReadAsFile(entry, join(folder, path)) ? [path] : [];
    });
}

/**
 * @param {string} folder
 * @param {string} name one of PRODUCED
 * @returns {boolean} whether it was there before any build of ours
 */
export function isSource(folder, name) {
  return (
    PERHAPS_SOURCES.includes(name) && existsSync(join(folder, name)) && !existsSync(join(folder, name, STAMP))
  );
}

/**
 * @param {import('node:fs').Dirent} entry
 * @param {string} path
 */
function isReadAsFile(entry, path) {
  return (
    entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
  );
}
