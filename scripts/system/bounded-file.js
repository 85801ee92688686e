/** Files that others wrote, or linked to what has no end: only regular ones, no more of them than fits, and without waiting. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { UserError } from '../model/errors.js';

/** Whoever opens a pipe without this waits until somebody writes into it. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;
const PART_BYTES = 2 ** 20;
/** What package managers write may have megabytes. */
const LARGEST_BYTES = 64 * 2 ** 20;

/**
 * @param {string} file
 * @param {{ bytes?: number, named?: string, mend?: string }} [how] bytes: at most; named, mend: how a message calls it, and ends
 * @returns {Buffer}
 * @throws {UserError} where it is missing, cannot be read, is no regular file or too large
 */
export function readBounded(file, { bytes = LARGEST_BYTES, named = file, mend = 'check the path' } = {}) {
  const refused = (/** @type {string} */ why) => new UserError(`${named}: ${why}; ${mend}`);
  let content;
  try {
    content = readStart(file, bytes + 1);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') throw refused('there is no such file');
    throw refused(code === undefined ? message : `cannot be read (${code})`);
  }
  if (content.length > bytes) throw refused(`has more than ${bytes} bytes`);
  return content;
}

/**
 * @param {string} file
 * @param {number} bytes
 * @returns {Buffer} how it begins, at most so many bytes of it
 * @throws {Error} the system's, or that it is no regular file
 */
export function readStart(file, bytes) {
  const opened = openSync(file, AT_ONCE);
  try {
    if (!fstatSync(opened).isFile()) throw new Error('is not a regular file');
    const parts = [];
    for (let left = bytes; left > 0;) {
      const part = Buffer.alloc(Math.min(left, PART_BYTES));
      const length = readSync(opened, part);
      if (length === 0) break;
      parts.push(part.subarray(0, length));
      left -= length;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(opened);
  }
}
