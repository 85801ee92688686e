/**
 * The files that a runner reads after a step and applies to later steps. Measured code can change them,
 * replace them by anything, and take away the folder's permissions.
 */

import { chmodSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readStart } from '../../system/bounded-file.js';

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export const RUNNER_FILES = [
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_OUTPUT',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_STATE',
];

/** More than a runner lets a step write into one of them. */
const LARGEST_BYTES = 64 * 2 ** 20;

/**
 * @typedef {object} RunnerFile
 * @property {string} name the variable that names it
 * @property {string} file
 * @property {Buffer | undefined} content undefined: there is no file
 * @property {number} mode its permissions
 * @property {string} folder its folder, without links
 * @property {number} folderMode
 */

/** @type {(env: NodeJS.ProcessEnv) => RunnerFile[]} */
export function readRunnerFiles(env) {
  return RUNNER_FILES.flatMap((name) => {
    const file = env[name];
    if (!file) return [];
    const folder = realpathSync(dirname(file));
    const stats = statSync(file, { throwIfNoEntry: false });
    return {
      name,
      file,
      content: stats && readStart(file, LARGEST_BYTES),
      mode: stats ? stats.mode & 0o777 : 0,
      folder,
      folderMode: statSync(folder).mode & 0o777,
    };
  });
}

/**
 * Restores each file separately, so that a failure leaves the others restored. Returns names of the files
 * that had changed, and of those that could not be restored.
 * @type {(files: RunnerFile[]) => { changed: string[], lost: string[] }}
 */
export function restoreRunnerFiles(files) {
  const changed = files.filter((file) => !isAsBefore(file));
  const lost = changed.filter((file) => {
    try {
      restore(file);
      return !isAsBefore(file);
    } catch {
      return true;
    }
  });
  return { changed: changed.map(({ name }) => name), lost: lost.map(({ name }) => name) };
}

/** @param {RunnerFile} file */
function isAsBefore({ file, content, folder }) {
  try {
    if (realpathSync(dirname(file)) !== folder) return false;
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats || !content) return !stats && !content;
    return stats.isFile() && readStart(file, content.length + 1).equals(content);
  } catch {
    return false;
  }
}

/** @param {RunnerFile} file */
function restore({ file, content, mode, folder, folderMode }) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  chmodSync(folder, folderMode);
  // Write a new file: the present one may be a link, a pipe or a folder, or be held open.
  rmSync(file, { recursive: true, force: true });
  if (content) writeFileSync(file, content, { flag: 'wx', mode });
}
