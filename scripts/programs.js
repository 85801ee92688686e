/** Where programs are. */

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/**
 * @param {string} name of a program, or its path
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, folders?: string[] }} where folders: looked into before those of the PATH
 * @returns {string | undefined} its path, where it is there and can be run
 */
export function findProgram(name, { env, cwd = '.', folders = [] }) {
  const places = name.includes('/')
    ? [resolve(cwd, name)]
    : [...folders, ...(env.PATH ?? '').split(delimiter)].map((folder) => join(folder, name));
  return places.find(canRun);
}

/** @param {string} file */
function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
