import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Whether it is one, or a link to one. @type {(path: string) => boolean} */
export function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, below a file, too long, or a link to itself.
    return false;
  }
}

/** An absolute folder and those it lies in, the nearest first. @type {(folder: string) => string[]} */
export function upwards(folder) {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/**
 * The nearest file of that name, looking upward as git does, no farther than the repository; outside of one,
 * only in the absolute folder itself.
 * @type {(name: string, folder: string) => string | undefined}
 */
export function nearestInRepository(name, folder) {
  const folders = upwards(folder);
  const top = folders.findIndex((each) => existsSync(join(each, '.git')));
  const searched = folders.slice(0, top + 1 || 1);
  return searched.map((each) => join(each, name)).find(existsSync);
}

/** Makes an absolute path in the folder relative. @type {(folder: string, path: string) => string} */
export function placeFrom(folder, path) {
  const place = relative(folder, path);
  return place.startsWith('..') ? path : place;
}

/**
 * Makes an absolute path, where there need be nothing yet, relative to the folder: '' for the folder itself,
 * undefined where it lies elsewhere once links are followed.
 * @type {(folder: string, path: string) => string | undefined}
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
