/** How a person or a runner ends a command: by a signal, a closed terminal, or by reading no further. */

import { constants } from 'node:os';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** Nobody reads any more: a pipe was closed, or a terminal. */
const UNREAD = ['EPIPE', 'EIO'];

/**
 * The first signal asks for a clean end; servers, in groups of their own, do not get it. The second ends this process at once,
 * and with it, by their supervisors, all that it started.
 * @returns {AbortSignal}
 */
export function cancelOnSignals() {
  const controller = new AbortController();
  for (const name of SIGNALS)
    process.on(name, () => {
      // A shell that ends may tell of the closed terminal after the kernel did.
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
