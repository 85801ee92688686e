/**
 * The files that a runner reads after a step, for later steps to obey. Measured code can change them, put anything in their
 * place, and take the folder's permissions away.
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

/** What a runner lets a step write into one of them is less. */
const LARGEST_BYTES = 64 * 2 ** 20;

/**
 * content: undefined where there is no file; folder: where it really lies; mode, folderMode: permissions
 * @typedef {{ name: string, file: string, content: Buffer | undefined, mode: number, folder: string, folderMode: number }} RunnerFile
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {RunnerFile[]}
 */
export function readRunnerFiles(env) {
  return RUNNER_FILES.flatMap((name) => {
    const file = env[name];
    if (!file) return [];
    const folder = realpathSync(dirname(file));
    const found = statSync(file, { throwIfNoEntry: false });
    return {
      name,
      file,
      content: found && readStart(file, LARGEST_BYTES),
      mode: found ? found.mode & 0o777 : 0,
      folder,
      folderMode: statSync(folder).mode & 0o777,
    };
  });
}

/**
 * Each by itself, so that one that cannot be restored keeps no other from it.
 * @param {RunnerFile[]} files
 * @returns {{ changed: string[], lost: string[] }} names: of those that had changed; of those that could not be restored
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
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (!found || !content) return !found && !content;
    return found.isFile() && readStart(file, content.length + 1).equals(content);
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
  // As a new file: what lies there may be a link, a pipe or a folder, or be held open.
  rmSync(file, { recursive: true, force: true });
  if (content) writeFileSync(file, content, { flag: 'wx', mode });
}
