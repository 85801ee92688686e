/** What a server that failed may lack. @import { MeasureError } from '../../model/errors.js' */
/** @import { Server } from '../../types.js' */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tryGit } from '../../system/git.js';
import { withheldNames } from './server-environment.js';

/** The cause is usually among the first. */
const MOST_NAMES = 5;

/** A line with a name and one of these words says that the variable is missing. */
const LACKS = /\b(?:missing|required|not set|not defined|undefined|unset|must (?:be|have)|expected)\b/i;
const VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g;

/** Settings that are not committed. */
const SETTINGS_FILE = /^\.env(\..+)?$/;

/** They name variables of others than the server. */
const NO_SOURCES = '**/*Dockerfile* **/*Containerfile* **/*.md .*/** **/.*.yml **/node_modules/**'.split(' ');
const SOURCES = ['--', '.', ...NO_SOURCES.map((glob) => `:(exclude,glob)${glob}`)];

/**
 * Adds to an error what the caller has and the failed server lacked: ignored files and variables. Prints only
 * names, and only those that the server seems to need.
 * @type {(error: MeasureError, server: Server, caller: NodeJS.ProcessEnv) => Promise<MeasureError>}
 */
export async function withHints(error, server, caller) {
  if (error.kind === 'cancelled') return error;
  const { message, logHead = [], logTail = [] } = error;
  const log = [...logHead, ...logTail].join('\n');
  const files = (await missingFiles(server)).filter(
    (file) => SETTINGS_FILE.test(basename(file)) || log.includes(basename(file)),
  );
  const names = await missingNames(server, { caller, log });
  // What the log calls missing and nobody has set.
  const lacking = log.split('\n').flatMap((line) => (LACKS.test(line) && line.match(VARIABLE)) || []);
  const unset = [...new Set(lacking)].filter((name) => !(name in server.env) && caller[name] === undefined);
  const isIgnored =
    'is ignored by git and therefore missing in the checkouts: list it under `copy:` or put it in `env:`';
  const isUnset = 'is not set: give it under `env:`, or set it here and list it under `passEnv:`';
  const hints = [
    ...files.map((file) => `${file} ${isIgnored}`),
    ...names.map((name) => `${name} is set here but not passed: \`passEnv: [${name}]\``),
    ...unset.slice(0, MOST_NAMES).map((name) => `${name} ${isUnset}`),
  ];
  return Object.assign(error, { message: [message, ...hints].join('; ') });
}

/** Ignored files of the user's folder that are missing where it runs, no folders. @param {Server} server */
async function missingFiles({ origin, folder }) {
  if (origin === undefined) return [];
  const ignored = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const files = (await tryGit(origin, ...ignored))?.split('\0') ?? [];
  return files.filter((file) => file !== '' && !file.endsWith('/') && !existsSync(join(folder, file)));
}

/**
 * Variables that the server did not get, but seems to need. A caller has a hundred; relevant are those in the
 * log, and those in the sources whose names are not everyday words.
 * @type {(server: Server, context: { caller: NodeJS.ProcessEnv, log: string }) => Promise<string[]>}
 */
async function missingNames(server, { caller, log }) {
  const withheld = withheldNames(caller, server).filter((name) => /^[A-Za-z_]\w{2,}$/.test(name));
  const words = new Set(log.match(/\w+/g));
  const patterns = withheld.filter((name) => name.includes('_')).flatMap((name) => ['-e', name]);
  const search = ['grep', '--untracked', '-hwoF', ...patterns, ...SOURCES];
  const matches = patterns.length > 0 ? await tryGit(server.folder, ...search) : undefined;
  for (const name of matches?.split('\n') ?? []) words.add(name);
  return withheld.filter((name) => words.has(name)).slice(0, MOST_NAMES);
}
