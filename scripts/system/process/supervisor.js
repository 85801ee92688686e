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
 * @property {boolean | undefined} [contained] without rights beyond the user's own, and without access to processes outside
 * @property {string | undefined} [scratch] a folder that is removed if the engine dies
 */

/**
 * @param {string[]} command
 * @param {Supervision} [options]
 * @returns {string[] | undefined} supervises the command, with descriptor 3 as its channel; undefined if this machine cannot
 */
export function supervised(command, { contained = false, scratch = '' } = {}) {
  const perl = findSupervisor();
  if (perl === undefined) return undefined;
  const args = [process.pid, PRCTL[process.arch], Number(contained), scratch].map(String);
  // -f: without the machine's start-up file.
  return [perl, '-fe', PROGRAM, '--', ...args, ...command];
}

/** @param {NodeJS.ProcessEnv} env the command's @returns {NodeJS.ProcessEnv} its supervisor's, without a variable that makes Perl load a module */
export function supervisorEnvironment(env) {
  const renamed = Object.entries(env).map(([name, value]) => [name.replace(/^(?=PERL)/, 'COMMAND_'), value]);
  return { ...Object.fromEntries(renamed), PERL_BADLANG: '0' };
}

/** @returns {string | undefined} the Perl that can supervise on this machine */
export function findSupervisor() {
  if (process.platform !== 'linux' || PRCTL[process.arch] === undefined) return undefined;
  return findProgram('perl', { env: process.env, folders: ['/usr/bin'] });
}

/** @param {{ name: string }} process @returns {boolean} true for another engine's supervisor, too */
export function isSupervisor({ name }) {
  return name === NAME;
}
