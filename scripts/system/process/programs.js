/** Finds programs and asks them for something. */

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
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, timeout?: number }} options timeout: in milliseconds
 * @returns {Promise<{ error: Error | null, stdout: string, stderr: string }>} error: where it failed or was not found
 */
export function ask(program, args, { timeout = ANSWER_MS, ...options }) {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, timeout, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
}

/**
 * @param {string} program
 * @param {string} argument that makes it print its version
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ failed: boolean, version: string | undefined }>} some programs print their version and fail
 */
export async function askVersion(program, argument, env) {
  const { error, stdout, stderr } = await ask(program, [argument], { env });
  return { failed: error !== null, version: /\d+(\.\d+)+/.exec(stdout || stderr)?.[0] };
}

/**
 * @param {string[]} names @param {(name: string) => Promise<string | undefined>} versionOf
 * @returns {Promise<Record<string, string>>} by name, without those whose version is unknown
 */
export async function versionsOf(names, versionOf) {
  const versions = await Promise.all(names.map(async (name) => [name, await versionOf(name)]));
  return Object.fromEntries(versions.filter(([, version]) => version !== undefined));
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
