/**
 * The programs without which a server can be neither installed, built nor started: told before anything is.
 * @import { Command, Server } from '../../types.js'
 */

import { join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { findProgram } from '../../system/process/programs.js';
import { shellLine } from '../../system/process/shell.js';
import { serverEnvironment } from '../start/environment.js';
import { notInstalled } from './install-hints.js';
import { PROGRAMS, RUNTIMES } from '../runtimes.js';

/**
 * @param {Server[]} servers
 * @param {NodeJS.ProcessEnv} caller
 * @throws {UserError} where one is lacking, a line each, with what installs it
 */
export function requirePrograms(servers, caller) {
  const lines = servers.flatMap((server) =>
    lackingOf(server, serverEnvironment(caller, server)).map(
      (name) => `server "${server.id}": ${notInstalled(name)}`,
    ),
  );
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}

/**
 * Only what the first step runs: that may bring what the others run.
 * @param {Server} server
 * @param {NodeJS.ProcessEnv} env its own
 * @returns {string[]} programs that are not there
 */
export function lackingOf({ install, build, start, folder: cwd }, env) {
  const first = install ?? build ?? start;
  const program = programOf(first) ?? '';
  const lacking = program in PROGRAMS && !findProgram(program, { env, cwd }) ? [program] : [];
  const others = Object.values(RUNTIMES).flatMap(({ beside }) => {
    if (!beside?.usedBy.test(shellLine(first))) return [];
    const home = beside.home && env[beside.home];
    const folders = home ? [join(home, 'bin')] : [];
    return findProgram(beside.program, { env, folders }) ? [] : beside.program;
  });
  return [...lacking, ...others];
}

/**
 * @param {Command} command
 * @returns {string | undefined} the first program of a shell line, where it is written out
 */
export function programOf(command) {
  if (typeof command !== 'string') return command[0];
  return /^\s*(?:(?:[A-Za-z_]\w*=\S*|exec)\s+)*([\w./@%+-]+)(?=[\s;&|)]|$)/.exec(command)?.[1];
}
