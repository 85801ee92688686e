/** Reads files that others wrote: only regular ones, never more than fits in memory, and without waiting. */

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { UserError } from '../model/errors.js';

/** Without O_NONBLOCK, opening a pipe waits for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
const PART_BYTES = 2 ** 20;
/** Lock files of package managers have megabytes. */
const LARGEST_BYTES = 64 * 2 ** 20;

/**
 * Reads at most `bytes`. Messages call the file `named`, and end with `mend`.
 * @type {(file: string, options?: { bytes?: number, named?: string, mend?: string }) => Buffer}
 * @throws {UserError} if it is missing, cannot be read, is not a regular file, or is too large
 */
export function readBounded(file, { bytes = LARGEST_BYTES, named = file, mend = 'check the path' } = {}) {
  const refused = (/** @type {string} */ why) => new UserError(`${named}: ${why}; ${mend}`);
  try {
    // A sparse file takes no place on the disk, but all of it in memory. Files of /proc have a size of 0.
    const content = statSync(file).size > bytes ? undefined : readStart(file, bytes + 1);
    if (content && content.length <= bytes) return content;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') throw refused('there is no such file');
    throw refused(code === undefined ? message : `cannot be read (${code})`);
  }
  throw refused(`has more than ${bytes} bytes`);
}

/** Undefined where there is none; throws as readBounded does. @type {(file: string) => string | undefined} */
export function readIfThere(file) {
  return existsSync(file) ? readBounded(file).toString() : undefined;
}

/**
 * @param {string} file
 * @param {number} bytes at most
 * @returns {Buffer} its first bytes
 * @throws {Error} the system's, or that it is not a regular file
 */
export function readStart(file, bytes) {
  const descriptor = openSync(file, FLAGS);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('is not a regular file');
    const parts = [];
    for (let left = bytes; left > 0;) {
      const part = Buffer.alloc(Math.min(left, PART_BYTES));
      const length = readSync(descriptor, part);
      if (length === 0) break;
      parts.push(part.subarray(0, length));
      left -= length;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(descriptor);
  }
}
