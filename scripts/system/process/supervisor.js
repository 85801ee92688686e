/** Starts a command below supervisor.pl, so that nothing of it outlives the command or the engine. */

import { readFileSync } from 'node:fs';
import { findProgram } from './programs.js';

/** Passed as text: the command may run as a user who cannot read this file. */
const PROGRAM = readFileSync(new URL('./supervisor.pl', import.meta.url), 'utf8');

/** The name of its process; the kernel keeps 15 characters. */
const NAME = 'perf-action: supervises'.slice(0, 15);

/** The number of prctl(2): https://github.com/torvalds/linux/tree/master/arch, syscall tables. */
const PRCTL = /** @type {Record<string, number | undefined>} */ ({ x64: 157, arm64: 167, riscv64: 167 });

/**
 * @typedef {object} Supervision
 * @property {'closed' | 'open'} [contained] without rights beyond the user's own, and without access to processes outside; open: but to
 *   their sockets. It prints all on standard error, since standard output is the channel
 * @property {{ by: string[], ids: number[] }} [apart] by: a command that runs the supervisor as root, with the standard
 *   descriptors alone; ids: as whom it runs the command, a user and groups, the first one the user's own
 * @property {string} [scratch] a folder that is removed if the engine dies
 */

/**
 * @param {string[]} command
 * @param {Supervision} [options]
 * @returns {string[] | undefined} supervises the command, with descriptor 3 as its channel and its environment from standard input;
 *   undefined if this machine cannot
 */
export function supervised(command, { contained, apart, scratch = '' } = {}) {
  const perl = findSupervisor();
  if (perl === undefined) return undefined;
  const about = [String(PRCTL[process.arch]), contained ?? '', scratch, apart?.ids.join(' ') ?? ''];
  // -f: without the machine's start-up file.
  return [...(apart?.by ?? []), perl, '-fe', PROGRAM, '--', ...about, ...command];
}

/** @param {NodeJS.ProcessEnv} env the command's @returns {string} as its supervisor reads it, whose own environment must not make Perl load a module */
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
