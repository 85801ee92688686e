/** How a command ends that could not do its work: with a line, and an exit code that is no gate's. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { MeasureError, UserError } from '../model/errors.js';
import { isOutOfFiles, OUT_OF_FILES } from './program.js';
import { REPOSITORY, ROOT } from './repository.js';

/** Of an error's own words. */
const LONGEST = 300;

/**
 * @param {unknown} error whatever was thrown
 * @returns {{ code: 2 | 3, lines: string[] }} what is told; of a bug one line, its stack is left in a file
 */
export function endingOf(error) {
  if (error instanceof UserError) return { code: 2, lines: error.message.split('\n') };
  if (error instanceof MeasureError) return { code: 3, lines: [`${error.kind}: ${oneLine(error.message)}`] };
  if (isOutOfFiles(error)) return { code: 3, lines: [OUT_OF_FILES] };
  const { name, message, stack = message } = error instanceof Error ? error : new Error(inspect(error));
  const where = keepStack(stack) ?? placeIn(stack);
  const told = oneLine(`unexpected error: ${name}: ${message}`);
  const report = `please report it at https://github.com/${REPOSITORY}/issues`;
  return { code: 3, lines: [`${told}; ${report}${where === undefined ? '' : ` with ${where}`}`] };
}

/**
 * What escapes every other net ends the process in the same way.
 * @param {(ending: ReturnType<typeof endingOf>) => void} tell
 */
export function endOnBugs(tell) {
  process.on('uncaughtException', (error) => {
    const ending = endingOf(error);
    tell(ending);
    process.exit(ending.code);
  });
}

/** @param {string} text */
function oneLine(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/**
 * @param {string} stack
 * @returns {string | undefined} the file; undefined where there is no place for it
 */
function keepStack(stack) {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'perf-action-error-')), 'stack.txt');
    writeFileSync(file, `${stack}\n`);
    return file;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} stack
 * @returns {string | undefined} file and line of ours, where it came from
 */
function placeIn(stack) {
  const [, url, line] = /(file:\S+?):(\d+):\d+/.exec(stack) ?? [];
  return url === undefined ? undefined : `the place: ${relative(ROOT, fileURLToPath(url))}:${line}`;
}
