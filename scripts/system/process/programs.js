/** Finds programs and asks them for their versions. */

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** No program needs longer to print its version; a broken one may never end. */
const ANSWER_MS = 10_000;

/**
 * @param {string} name of a program, or its path
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, folders?: string[] }} where folders: searched before those of the PATH
 * @returns {string | undefined} the path of an executable file
 */
export function findProgram(name, { env, cwd = '.', folders = [] }) {
  const places = name.includes('/')
    ? [resolve(cwd, name)]
    : [...folders, ...(env.PATH ?? '').split(delimiter)].map((folder) => join(folder, name));
  return places.find(isExecutable);
}

/**
 * @param {string} program
 * @param {string} argument that makes it print its version
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ failed: boolean, version: string | undefined }>} some programs fail and print their version all the same
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
