/** A person or a runner ends a command by a signal, by closing the terminal, or by reading no further. */

import { constants } from 'node:os';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** A closed pipe, a closed terminal. */
const UNREAD = ['EPIPE', 'EIO'];

/**
 * The first signal asks for a clean end. The second ends this process at once, and its supervisors end all that it started.
 * @returns {AbortSignal}
 */
export function cancelOnSignals() {
  const controller = new AbortController();
  for (const name of SIGNALS)
    process.on(name, () => {
      // The kernel and the shell may both report one closed terminal.
      if (controller.signal.aborted && name !== 'SIGHUP') process.exit(128 + constants.signals[name]);
      controller.abort();
    });
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (!UNREAD.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error;
      controller.abort();
    });
  return controller.signal;
}
