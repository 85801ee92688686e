/** How a command ends: an error, made lines and exit code 2 or 3, a signal, or because nobody reads on. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { MeasureError, UserError } from '../model/errors.js';
import { isOutOfFiles, OUT_OF_FILES } from './run-program.js';
import { REPOSITORY } from './this-project.js';

/** Characters of an error's message: of an unexpected one, and of a line that quotes what a user wrote. */
const LONGEST = 300;
const LONGEST_LINE = 1000;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** The errors of a closed pipe and a closed terminal. */
const UNREAD = ['EPIPE', 'EIO'];

/**
 * Reasons: "usage", a kind of failure, "out-of-files", "disk-full", and "bug", whose stack goes to a file.
 * @type {(error: unknown) => { code: 2 | 3, reason: string, lines: string[] }}
 */
export function endingOf(error) {
  if (error instanceof UserError)
    return { code: 2, reason: 'usage', lines: error.message.split('\n').map(shortened) };
  if (error instanceof MeasureError)
    return { code: 3, reason: error.kind, lines: [`${error.kind}: ${oneLine(error.message)}`] };
  if (isOutOfFiles(error)) return { code: 3, reason: 'out-of-files', lines: [OUT_OF_FILES] };
  const { name, message, stack = message } = error instanceof Error ? error : new Error(inspect(error));
  if (FULL.test(message)) {
    const mend = `free space there, or set TMPDIR (now ${tmpdir()}), XDG_CACHE_HOME or --out to folders elsewhere`;
    const line = shortened(`the disk is full: ${oneLine(message)}; ${mend}`);
    return { code: 3, reason: 'disk-full', lines: [line] };
  }
  if (message.startsWith('ENAMETOOLONG'))
    return { code: 2, reason: 'usage', lines: [shortened(`${message}; use a shorter path`)] };
  const where = keepStack(stack);
  const line = oneLine(`unexpected error: ${name}: ${message}`);
  const report = `please report it at https://github.com/${REPOSITORY}/issues`;
  const lines = [`${line}; ${report}${where === undefined ? '' : ` with ${where}`}`];
  return { code: 3, reason: 'bug', lines };
}

/** What Node.js and git say of a full disk. */
const FULL = /ENOSPC|no space left on device|out of diskspace/i;

/**
 * The first signal asks for a clean end. The second ends this process at once, and its supervisors end all
 * that it started; with `once`, it does nothing.
 * @type {(options?: { once?: boolean }) => AbortSignal}
 */
export function cancelOnSignals({ once = false } = {}) {
  const controller = new AbortController();
  for (const name of SIGNALS)
    process.on(name, () => {
      // The kernel and the shell may both report one closed terminal.
      if (controller.signal.aborted && !once && name !== 'SIGHUP')
        process.exit(128 + constants.signals[name]);
      controller.abort();
    });
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (!UNREAD.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error;
      controller.abort();
    });
  return controller.signal;
}

/** Uncaught errors end it, too. @type {(print: (ending: ReturnType<typeof endingOf>) => void) => void} */
export function endOnBugs(print) {
  process.on('uncaughtException', (error) => {
    const ending = endingOf(error);
    print(ending);
    process.exit(ending.code);
  });
}

/** What is wrong stands at the beginning, how to mend it at the end. @param {string} line */
export function shortened(line) {
  const half = LONGEST_LINE / 2;
  return line.length > LONGEST_LINE ? `${line.slice(0, half)}…${line.slice(-half)}` : line;
}

/** @param {string} text */
function oneLine(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The file; undefined if it cannot be written. @type {(stack: string) => string | undefined} */
function keepStack(stack) {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'perf-action-error-')), 'stack.txt');
    writeFileSync(file, `${stack}\n`);
    return file;
  } catch {
    return undefined;
  }
}
