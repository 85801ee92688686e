/** Missing programs, and the commands that install them. */

import { shellLine } from '../../system/process/shell.js';
import { PROGRAMS } from '../runtimes.js';

/** On Debian and Ubuntu. @type {Record<string, string>} */
const COMMANDS = {
  ...PROGRAMS,
  cargo: 'sudo apt-get install cargo',
  make: 'sudo apt-get install make',
};

/** Messages of dash, bash and BusyBox: "sh: 1: exec: pnpm: not found", "sh: line 1: pnpm: command not found". */
const NOT_FOUND = /^\S*sh: (?:(?:line )?\d+: )?(?:exec: )?([^\s:]+): (?:command )?not found$/;

/** @param {string} name @returns {string} how to install it */
export function howToInstall(name) {
  return COMMANDS[name] ?? `install ${name} and put it on the PATH`;
}

/**
 * @param {string[]} lines that a shell printed
 * @returns {string | undefined} the program that it did not find and how to install it; undefined if none is missing
 */
export function missingProgram(lines) {
  const [name] = lines.flatMap((line) => NOT_FOUND.exec(line.trim())?.[1] ?? []);
  return name && notInstalled(name);
}

/** @param {string} name of a program, or its path @returns {string} that it is missing, and how to install it */
export function notInstalled(name) {
  return name.includes('/') ? `there is no ${name}` : `${name} is not installed: ${howToInstall(name)}`;
}

/**
 * @param {import('../../types.js').Command} command
 * @param {NodeJS.ErrnoException} error of its start
 * @returns {string} why there is no process; a shell reports missing programs of a line itself
 */
export function couldNotStart(command, error) {
  const name = typeof command === 'string' ? undefined : command[0];
  const isMissing = error.code === 'ENOENT' && error.path === name && name !== undefined;
  return `\`${shellLine(command)}\` could not be started: ${isMissing ? notInstalled(name) : error.message}`;
}
