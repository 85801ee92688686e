/** The first step of every program here. It imports little, since loading modules fails where few open files are allowed. */

import { readFileSync, writeSync } from 'node:fs';

/** The exit code if something could not be measured. */
const NOT_MEASURED = 3;
/** A run loads some 120 modules at once; with fewer open files, Node reports packages as missing. */
const LEAST_FILES = 256;
export const OUT_OF_FILES =
  'this process may not open enough files at once; raise the limit, for example with: ulimit -n 1024';

/** @param {() => Promise<void>} program loads its modules, and handles its own errors */
export async function runProgram(program) {
  // Without a listener this signal opens the debugger, on a port that any local program can connect to.
  process.on('SIGUSR1', () => {});
  if (mostFiles() >= LEAST_FILES) return program();
  writeSync(process.stderr.fd, `perf-action: ${OUT_OF_FILES}\n`);
  process.exitCode = NOT_MEASURED;
}

/** @param {unknown} error */
export function isOutOfFiles(error) {
  return ['EMFILE', 'ENFILE'].includes(/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code ?? '');
}

/** @returns {number} how many files this process may have open, as far as Linux reports it; see proc_pid_limits(5) */
function mostFiles() {
  if (process.platform !== 'linux') return Infinity;
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}
