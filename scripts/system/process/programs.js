/** Where programs are, and what they say of themselves. */

import { execFile } from 'node:child_process';
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

/** No program needs longer to tell its version; a broken one may never end. */
const ANSWER_MS = 10_000;

/**
 * @param {string} program
 * @param {string[]} args that make it tell its version
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ failed: boolean, text: string }>} what it printed; some take the question for a mistake and tell it
 *   all the same
 */
export function askProgram(program, args, env) {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: ANSWER_MS, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, text: stdout || stderr }),
    );
  });
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
