import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** @param {string} path @returns {boolean} also for a link to one */
export function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, below a file, too long, or a link to itself.
    return false;
  }
}

/** @param {string} folder absolute @returns {string[]} itself and those it lies in, the nearest first */
export function upwards(folder) {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/** @param {string} folder @param {string} path absolute @returns {string} relative where it lies inside the folder */
export function placeFrom(folder, path) {
  const place = relative(folder, path);
  return place.startsWith('..') ? path : place;
}

/**
 * @param {string} folder
 * @param {string} path absolute; there need be nothing yet
 * @returns {string | undefined} relative to the folder, empty for the folder itself; undefined where it lies elsewhere once links are
 *   followed
 */
export function placeInside(folder, path) {
  try {
    const place = relative(realpathSync(folder), realPlace(path));
    return place.split(sep)[0] === '..' ? undefined : place;
  } catch {
    // A link to nothing, or a file in place of a folder.
    return undefined;
  }
}

/** @type {(path: string) => string} */
function realPlace(path) {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere ? realpathSync(path) : join(realPlace(dirname(path)), basename(path));
}
