/** Programs that commands of servers call for, and what to type where one is not there. */

import { shellLine } from '../../system/process/shell.js';
import { PROGRAMS } from '../runtimes.js';

/** Of Debian and Ubuntu, what no runtime brings. @type {Record<string, string>} */
const WAYS = {
  ...PROGRAMS,
  cargo: 'sudo apt-get install cargo',
  make: 'sudo apt-get install make',
};

/** As dash, bash and BusyBox say it: "sh: 1: exec: pnpm: not found", "sh: line 1: pnpm: command not found". */
const NOT_FOUND = /^\S*sh: (?:(?:line )?\d+: )?(?:exec: )?([^\s:]+): (?:command )?not found$/;

/**
 * @param {string} name
 * @returns {string} what to do where it is not installed
 */
export function howToInstall(name) {
  return WAYS[name] ?? `install ${name} and put it on the PATH`;
}

/**
 * @param {string[]} lines what a shell's line printed
 * @returns {string | undefined} what it did not find and how to get it; undefined where it lacked nothing
 */
export function missingProgram(lines) {
  const [name] = lines.flatMap((line) => NOT_FOUND.exec(line.trim())?.[1] ?? []);
  return name && notInstalled(name);
}

/**
 * @param {string} name of a program, or its path
 * @returns {string} that it is not there, and how to get it
 */
export function notInstalled(name) {
  return name.includes('/') ? `there is no ${name}` : `${name} is not installed: ${howToInstall(name)}`;
}

/**
 * @param {import('../../types.js').Command} command
 * @param {NodeJS.ErrnoException} error of its start
 * @returns {string} why there is no process; of a line, the shell tells by itself what is not there
 */
export function couldNotStart(command, error) {
  const name = typeof command === 'string' ? undefined : command[0];
  const isMissing = error.code === 'ENOENT' && error.path === name && name !== undefined;
  return `\`${shellLine(command)}\` could not be started: ${isMissing ? notInstalled(name) : error.message}`;
}
