/** Starts a command below supervisor.pl, so that nothing of it outlives the command or the engine. */

import { readFileSync } from 'node:fs';
import { findProgram } from './find-program.js';

/** Passed as text: the command may run as a user who cannot read this file. */
const PROGRAM = readFileSync(new URL('./supervisor.pl', import.meta.url), 'utf8');

/** The name of its process; the kernel keeps 15 characters. */
const NAME = 'perf-action: supervises'.slice(0, 15);

/** The number of prctl(2): https://github.com/torvalds/linux/tree/master/arch, syscall tables. */
const PRCTL = /** @type {Record<string, number | undefined>} */ ({ x64: 157, arm64: 167, riscv64: 167 });

/**
 * @typedef {object} Supervision
 * @property {'closed' | 'open'} [contained] without rights beyond the user's own or access to processes
 *   outside; open: but to their sockets. It prints all on standard error: standard output is the channel
 * @property {{ by: string[], ids: number[] }} [apart] by: a command that runs the supervisor as root, with
 *   standard descriptors alone; ids: as whom it runs the command, a user and groups, the user's own first
 * @property {string} [scratch] a folder that is removed if the engine dies
 */

/**
 * Supervises it: descriptor 3 is the channel, standard input the environment. Undefined if impossible here.
 * @type {(command: string[], options?: Supervision) => string[] | undefined}
 */
export function supervised(command, { contained, apart, scratch = '' } = {}) {
  const perl = findSupervisor();
  if (perl === undefined) return undefined;
  const about = [String(PRCTL[process.arch]), contained ?? '', scratch, apart?.ids.join(' ') ?? ''];
  // -f: without the machine's start-up file.
  return [...(apart?.by ?? []), perl, '-fe', PROGRAM, '--', ...about, ...command];
}

/** Text for a supervisor, whose own must not load Perl modules. @type {(env: NodeJS.ProcessEnv) => string} */
export function environmentText(env) {
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  return `${given.map(([name, value]) => `${name}=${value}\0`).join('')}\0`;
}

/** @returns {string | undefined} the Perl that can supervise on this machine */
export function findSupervisor() {
  if (process.platform !== 'linux' || PRCTL[process.arch] === undefined) return undefined;
  return findProgram('perl', { env: process.env, folders: ['/usr/bin'] });
}

/** True for another engine's supervisor, too. @type {(process: { name: string }) => boolean} */
export function isSupervisor({ name }) {
  return name === NAME;
}
