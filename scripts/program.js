/** What every program of ours does first. It imports little, since loading modules is what fails where few files may be open. */

import { writeSync } from 'node:fs';

/** The exit code of what could not be measured. */
const NOT_MEASURED = 3;

export const OUT_OF_FILES =
  'this process may not open enough files at once; raise the limit, for example with: ulimit -n 1024';

/**
 * @param {() => Promise<void>} program loads what it needs, and handles its own errors
 */
export async function runProgram(program) {
  // Without a listener this signal opens the debugger, on a port that any program of this machine can connect to.
  process.on('SIGUSR1', () => {});
  try {
    await program();
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    writeSync(process.stderr.fd, `perf-action: ${OUT_OF_FILES}\n`);
    process.exit(NOT_MEASURED);
  }
}

/** @param {unknown} error */
export function isOutOfFiles(error) {
  return ['EMFILE', 'ENFILE'].includes(/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code ?? '');
}
