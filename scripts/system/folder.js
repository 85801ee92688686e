import { statSync } from 'node:fs';
import { relative } from 'node:path';

/** @param {string} path @returns {boolean} also for a link to one */
export function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** @param {string} folder @param {string} path absolute @returns {string} relative where it lies inside the folder */
export function placeFrom(folder, path) {
  const place = relative(folder, path);
  return place.startsWith('..') ? path : place;
}
