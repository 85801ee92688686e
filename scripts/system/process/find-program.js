/** Finds programs and asks them for something. */

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Enough to print a version; a broken program may never end. */
const ANSWER_MS = 10_000;

/**
 * The path of an executable file, by its name or path; `folders` are searched before those of the PATH.
 * @type {(name: string, where: { env: NodeJS.ProcessEnv, cwd?: string, folders?: string[] }) =>
 *   string | undefined}
 */
export function findProgram(name, { env, cwd = '.', folders = [] }) {
  if (name.includes('/')) return [resolve(cwd, name)].find(isExecutable);
  const searched = [...folders, ...(env.PATH ?? '').split(delimiter)];
  return searched.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * The timeout is in milliseconds. There is an error where the program failed or was not found.
 * @type {(program: string, args: string[],
 *   options: { env: NodeJS.ProcessEnv, cwd?: string, timeout?: number }) =>
 *   Promise<{ error: Error | null, stdout: string, stderr: string }>}
 */
export function ask(program, args, { timeout = ANSWER_MS, ...options }) {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, timeout, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
}

/**
 * The argument makes a program print its version; some programs print it and fail.
 * @type {(program: string, argument: string, env: NodeJS.ProcessEnv) =>
 *   Promise<{ failed: boolean, version: string | undefined }>}
 */
export async function askVersion(program, argument, env) {
  const { error, stdout, stderr } = await ask(program, [argument], { env });
  return { failed: error !== null, version: /\d+(\.\d+)+/.exec(stdout || stderr)?.[0] };
}

/**
 * By name, without those whose version is unknown.
 * @type {(names: string[], versionOf: (name: string) => Promise<string | undefined>) =>
 *   Promise<Record<string, string>>}
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
