/** Missing programs or versions, and how to get them. @import { Command, Server } from '../../types.js' */

import { join } from 'node:path';
import { isInRange } from '../../model/version-range.js';
import { readIfThere } from '../../system/bounded-file.js';
import { nearestInRepository } from '../../system/folder.js';
import { ask, findProgram } from '../../system/process/find-program.js';
import { shellLine } from '../../system/process/shell.js';
import { PROGRAMS, RUNTIMES } from '../runtimes.js';
import { serverEnvironment } from './server-environment.js';

/** On Debian and Ubuntu. @type {Record<string, string>} */
const COMMANDS = { ...PROGRAMS, make: 'sudo apt-get install make' };

/** Of dash, bash and BusyBox: "sh: 1: exec: pnpm: not found", "sh: line 1: pnpm: command not found". */
const NOT_FOUND = /^\S*sh: (?:(?:line )?\d+: )?(?:exec: )?([^\s:]+): (?:command )?not found$/;

/**
 * The programs that are missing on this machine, and how to install them.
 * @type {(server: Server, caller: NodeJS.ProcessEnv) => string | undefined}
 */
export function whyNotBuilt(server, caller) {
  const { install, build, start, folder: cwd } = server;
  const env = serverEnvironment(caller, server);
  // It may install what the others need.
  const first = install ?? build ?? start;
  const program = programOf(first) ?? '';
  const missing = program in PROGRAMS && !findProgram(program, { env, cwd }) ? [program] : [];
  const builders = Object.values(RUNTIMES).flatMap(({ beside }) => {
    if (!beside?.usedBy.test(shellLine(first))) return [];
    const home = beside.home && env[beside.home];
    const folders = home ? [join(home, 'bin')] : [];
    return findProgram(beside.program, { env, folders }) ? [] : beside.program;
  });
  return [...missing, ...builders].map(notInstalled).join('; ') || undefined;
}

/** The first program of a line, where it is written. @type {(command: Command) => string | undefined} */
export function programOf(command) {
  if (typeof command !== 'string') return command[0];
  return /^\s*(?:(?:[A-Za-z_]\w*=\S*|exec)\s+)*([\w./@%+-]+)(?=[\s;&|)]|$)/.exec(command)?.[1];
}

/** How to install it. @type {(name: string) => string} */
export function howToInstall(name) {
  return COMMANDS[name] ?? `install ${name} and put it on the PATH`;
}

/** What a shell misses, and how to install it. @type {(lines: string[]) => string | undefined} */
export function missingProgram(lines) {
  const [name] = lines.flatMap((line) => NOT_FOUND.exec(line.trim())?.[1] ?? []);
  return name && notInstalled(name);
}

/**
 * Why there is no process, by the error of its start; a shell reports missing programs of a line itself.
 * @type {(command: Command, error: NodeJS.ErrnoException) => string}
 */
export function couldNotStart(command, error) {
  const name = typeof command === 'string' ? undefined : command[0];
  const isMissing = error.code === 'ENOENT' && error.path === name && name !== undefined;
  return `\`${shellLine(command)}\` could not be started: ${isMissing ? notInstalled(name) : error.message}`;
}

/**
 * What its manifest asks for instead of the machine's version, like "go.mod asks for 1.27".
 * @type {(server: Server, version: string, env: NodeJS.ProcessEnv) => Promise<string | undefined>}
 */
export async function whyNotVersion({ folder, runtime, version: own, install, build, start }, version, env) {
  const { requires, fetchedBy, asksWhetherLocal } = RUNTIMES[runtime] ?? {};
  const commands = [install, build, start].flatMap((command) => (command ? shellLine(command) : []));
  if (!requires || own !== undefined || commands.some((line) => fetchedBy?.test(line))) return undefined;
  const asked = requires.flatMap(({ file, says, isLeast }) => {
    const [, range] = says.exec(readIfThere(nearestInRepository(file, folder) ?? '') ?? '') ?? [];
    return range && !isInRange(version, isLeast ? `>=${range}` : range) ? `${file} asks for ${range}` : [];
  });
  if (asked.length === 0 || !asksWhetherLocal) return asked[0];
  const { stdout } = await ask(runtime, asksWhetherLocal, { env });
  return stdout.trim() === 'local' ? asked[0] : undefined;
}

/** @param {string} name of a program, or its path */
function notInstalled(name) {
  return name.includes('/') ? `there is no ${name}` : `${name} is not installed: ${howToInstall(name)}`;
}
