/** The first step of every program. It imports little: loading fails where few open files are allowed. */

import { existsSync, readFileSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Exit codes. */
const WRONG_USAGE = 2;
const NOT_MEASURED = 3;
/** A run loads some 120 modules at once; with fewer open files, Node reports packages as missing. */
const LEAST_FILES = 256;
export const OUT_OF_FILES =
  'this process may not open enough files at once; raise the limit, for example with: ulimit -n 1024';

/** @param {() => Promise<void>} program loads its modules, and handles its own errors */
export async function runProgram(program) {
  // Without a listener this signal opens the debugger, on a port that any local program can connect to.
  process.on('SIGUSR1', () => {});
  if (mostFiles() < LEAST_FILES) return end(OUT_OF_FILES, NOT_MEASURED);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  // Only the packages can be missing: the scripts come together.
  return program().catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    end(`a package that it needs is not installed; install them with: npm ci --prefix ${root}`, WRONG_USAGE);
  });
}

/** @type {(line: string, code: number) => void} */
function end(line, code) {
  writeSync(process.stderr.fd, `perf-action: ${line}\n`);
  process.exitCode = code;
}

/** @param {unknown} error */
export function isOutOfFiles(error) {
  return ['EMFILE', 'ENFILE'].includes(/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code ?? '');
}

/** How many files this process may open, if Linux reports it (proc_pid_limits(5)). @type {() => number} */
function mostFiles() {
  if (process.platform !== 'linux') return Infinity;
  const limits = '/proc/self/limits';
  // A container may hide it.
  const [, soft] =
    /^Max open files +(\d+)/m.exec(existsSync(limits) ? readFileSync(limits, 'utf8') : '') ?? [];
  return soft === undefined ? Infinity : Number(soft);
}
