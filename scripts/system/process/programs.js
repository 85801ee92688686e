/** Finds programs and asks them for their versions. */

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Enough to print a version; a broken program may never end. */
const ANSWER_MS = 10_000;

/**
 * @param {string} name of a program, or its path
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, folders?: string[] }} where folders: searched before those of the PATH
 * @returns {string | undefined} the path of an executable file
 */
export function findProgram(name, { env, cwd = '.', folders = [] }) {
  if (name.includes('/')) return [resolve(cwd, name)].find(isExecutable);
  const searched = [...folders, ...(env.PATH ?? '').split(delimiter)];
  return searched.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * @param {string} program
 * @param {string} argument that makes it print its version
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ failed: boolean, version: string | undefined }>} some programs print their version and fail
 */
export function askVersion(program, argument, env) {
  const options = /** @type {const} */ ({ env, timeout: ANSWER_MS, killSignal: 'SIGKILL' });
  return new Promise((resolve) => {
    execFile(program, [argument], options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, version: /\d+(\.\d+)+/.exec(stdout || stderr)?.[0] }),
    );
  });
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
