import { statSync } from 'node:fs';

/** @param {string} path @returns {boolean} also for a link to one */
export function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
