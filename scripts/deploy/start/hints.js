/**
 * What the caller has and a server that failed had not: files that git ignores, variables of its environment. Only names
 * are told, and only of what the server asks for by the looks of it.
 * @import { MeasureError } from '../../model/errors.js'
 * @import { Server } from '../../types.js'
 */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tryGit } from '../../system/git.js';
import { withheldNames } from './environment.js';

/** Of more, the rest is seldom what is missing. */
const MOST_NAMES = 5;

/** How programs say that a variable is missing: its name and one of these words in one line. */
const LACKS = /\b(?:missing|required|not set|not defined|undefined|unset|must (?:be|have)|expected)\b/i;
const VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g;

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
  const names = await missingNames(server, { caller, log });
  const hints = [
    ...files.map(
      (file) =>
        `${file} is ignored by git and therefore missing in the checkouts: list it under \`copy:\` or put it in \`env:\``,
    ),
    ...names.map((name) => `${name} is set here but not passed: \`passEnv: [${name}]\``),
    ...unsetNames(server, { caller, log }).map(
      (name) => `${name} is not set: give it under \`env:\`, or set it here and list it under \`passEnv:\``,
    ),
  ];
  return Object.assign(error, { message: [message, ...hints].join('; ') });
}

/**
 * @param {Server} server
 * @param {{ caller: NodeJS.ProcessEnv, log: string }} context
 * @returns {string[]} variables that the log calls missing and that neither the manifest nor the caller has
 */
function unsetNames({ env }, { caller, log }) {
  const lines = log.split('\n').filter((line) => LACKS.test(line));
  const names = new Set(lines.flatMap((line) => line.match(VARIABLE) ?? []));
  return [...names].filter((name) => !(name in env) && caller[name] === undefined).slice(0, MOST_NAMES);
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
 * A caller has a hundred variables: those that the log speaks of, and those in the sources that look like no everyday word.
 * @param {Server} server
 * @param {{ caller: NodeJS.ProcessEnv, log: string }} context
 * @returns {Promise<string[]>} of the caller's variables that the server was not given, those that it seems to lack
 */
async function missingNames(server, { caller, log }) {
  const withheld = withheldNames(caller, server).filter((name) => /^[A-Za-z_]\w{2,}$/.test(name));
  const words = new Set(log.match(/\w+/g));
  const patterns = withheld.filter((name) => name.includes('_')).flatMap((name) => ['-e', name]);
  const search = ['grep', '--untracked', '-hwoF', ...patterns, '--', '.'];
  const found = patterns.length > 0 ? await tryGit(server.folder, ...search) : undefined;
  for (const name of found?.split('\n') ?? []) words.add(name);
  return withheld.filter((name) => words.has(name)).slice(0, MOST_NAMES);
}
