/** Where text leaves this program. Nothing else writes to a terminal or to a job's log. */

import { clearLine, cursorTo } from 'node:readline';
import { harmless } from './harmless.js';

/**
 * rewrite: puts one line in the place of the last one; absent where there is no terminal.
 * @typedef {{ write: (text: string) => unknown, rewrite?: (line: string) => void }} Output
 */

/**
 * @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stream
 * @returns {Output}
 */
export function outputOn(stream) {
  return {
    write: (text) => stream.write(harmless(text)),
    ...(stream.isTTY && {
      rewrite(line) {
        clearLine(stream, 0);
        cursorTo(stream, 0);
        const shown = harmless(line).replaceAll(/\s+/g, ' ');
        stream.write(shown.slice(0, (stream.columns ?? 80) - 1));
      },
    }),
  };
}
