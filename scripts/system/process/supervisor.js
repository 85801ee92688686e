/** How a command is started so that nothing of it outlives it or the engine; supervisor.pl does the work. */

import { readFileSync } from 'node:fs';
import { findProgram } from './programs.js';

/** Handed over as text: another user need not be able to read our files. */
const PROGRAM = readFileSync(new URL('./supervisor.pl', import.meta.url), 'utf8');

/** What its process is called, as far as the kernel keeps a name. */
const NAME = 'perf-action: supervises'.slice(0, 15);

/** The number of prctl(2): https://github.com/torvalds/linux/tree/master/arch, syscall tables. */
const PRCTL = /** @type {Record<string, number | undefined>} */ ({ x64: 157, arm64: 167, riscv64: 167 });

/**
 * contained: without rights beyond the user's own, and without a look into processes outside; scratch: a folder that is
 * removed if the engine dies
 * @typedef {{ contained?: boolean, scratch?: string }} Supervision
 */

/**
 * @param {string[]} command
 * @param {Supervision} [options]
 * @returns {string[] | undefined} the command that supervises it, with descriptor 3 as its channel; undefined where this
 *   machine cannot
 */
export function supervised(command, { contained = false, scratch = '' } = {}) {
  const perl = findSupervisor();
  if (perl === undefined) return undefined;
  const args = [process.pid, PRCTL[process.arch], Number(contained), scratch].map(String);
  // -f: without the site's own start-up file.
  return [perl, '-fe', PROGRAM, '--', ...args, ...command];
}

/**
 * @param {NodeJS.ProcessEnv} env the command's
 * @returns {NodeJS.ProcessEnv} what its supervisor is started with and makes that of: nothing there has Perl load a module
 */
export function supervisorEnvironment(env) {
  const renamed = Object.entries(env).map(([name, value]) => [name.replace(/^(?=PERL)/, 'COMMAND_'), value]);
  return { ...Object.fromEntries(renamed), PERL_BADLANG: '0' };
}

/** @returns {string | undefined} the Perl that can supervise here */
export function findSupervisor() {
  if (process.platform !== 'linux' || PRCTL[process.arch] === undefined) return undefined;
  return findProgram('perl', { env: process.env, folders: ['/usr/bin'] });
}

/** @param {{ name: string }} process @returns {boolean} also of another engine's */
export function isSupervisor({ name }) {
  return name === NAME;
}
