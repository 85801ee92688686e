/** What leaves a job is copied when nothing measured runs: code may put anything in a result's place. */

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PAGES, SIDES } from '../../store/result-files.js';

const NAMES = [...SIDES, ...PAGES];

/** Without O_NONBLOCK, opening a pipe waits for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** As much as the reader of run files accepts. */
const LARGEST_BYTES = 128 * 2 ** 20;

/**
 * Names what it refused: links, files with another name too, pipes, and files that are too large. `from` was
 * absolute and without links when it was planned; `to` is made anew, with the folder that it lies in.
 * @type {(from: string, to: string) => { copied: string[], refused: string[] }}
 */
export function copyResults(from, to) {
  rmSync(dirname(to), { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  /** @type {Record<'copied' | 'refused', string[]>} */
  const done = { copied: [], refused: [] };
  for (const name of NAMES) {
    const content = readOwn(join(from, name));
    if (content === undefined) continue;
    if (content) {
      mkdirSync(dirname(join(to, name)), { recursive: true });
      writeFileSync(join(to, name), content);
    }
    done[content ? 'copied' : 'refused'].push(name);
  }
  return done;
}

/**
 * Undefined where there is nothing; false: it is no result of ours.
 * @type {(file: string) => Buffer | false | undefined}
 */
function readOwn(file) {
  let descriptor;
  try {
    descriptor = openSync(file, FLAGS);
    const stats = fstatSync(descriptor);
    const isOwn = stats.isFile() && stats.nlink === 1 && realpathSync(dirname(file)) === dirname(file);
    return isOwn && stats.size <= LARGEST_BYTES && readFileSync(descriptor);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? undefined : false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
