/**
 * What the caller has and a server that failed had not: files that git ignores, variables that look secret. Only names
 * are told, and only of what the server asks for by the looks of it.
 * @import { MeasureError } from '../errors.js'
 * @import { Server } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tryGit } from '../git.js';
import { withheldNames } from './environment.js';

/** What settings are read from that no commit holds. */
const SETTINGS_FILE = /^\.env(\..+)?$/;

/**
 * @param {MeasureError} error
 * @param {Server} server
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Promise<MeasureError>} the same, with what may mend it
 */
export async function withHints(error, server, caller) {
  if (error.kind === 'cancelled') return error;
  const { message, logHead = [], logTail = [] } = error;
  const log = [...logHead, ...logTail].join('\n');
  const files = (await missingFiles(server)).filter(
    (file) => SETTINGS_FILE.test(basename(file)) || log.includes(basename(file)),
  );
  /** @type {string[]} */
  const names = [];
  for (const name of withheldNames(caller, server)) {
    if (log.includes(name) || (await isNamedIn(server.folder, name))) names.push(name);
  }
  const hints = [
    ...files.map(
      (file) =>
        `${file} is ignored by git and therefore missing in the checkouts: list it under \`copy:\` or put it in \`env:\``,
    ),
    ...names.map((name) => `${name} is set here but not passed: \`passEnv: [${name}]\``),
  ];
  return Object.assign(error, { message: [message, ...hints].join('; ') });
}

/**
 * @param {Server} server
 * @returns {Promise<string[]>} ignored files of the user's folder that are not where the server runs; whole ignored
 *   folders, like node_modules, are none of them
 */
async function missingFiles({ origin, folder }) {
  if (origin === undefined) return [];
  const ignored = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const found = (await tryGit(origin, ...ignored))?.split('\0') ?? [];
  return found.filter((file) => file !== '' && !file.endsWith('/') && !existsSync(join(folder, file)));
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {Promise<boolean>} whether a source there has the word
 */
async function isNamedIn(folder, name) {
  return (await tryGit(folder, 'grep', '--quiet', '--untracked', '-wF', '-e', name, '--', '.')) !== undefined;
}
