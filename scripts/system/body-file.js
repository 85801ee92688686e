/** Request bodies that are the bytes of a file. @import { BodyFile } from '../types.js' */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { readBounded } from './bounded-file.js';

/** Every load tool holds it in memory, and every window reads it again. */
const LARGEST_BYTES = 2 ** 20;

/**
 * @param {string} name relative to folder
 * @param {{ folder: string, where: string }} context where: names the key in messages
 * @returns {BodyFile}
 * @throws {import('../model/errors.js').UserError} if it is missing or too large
 */
export function readBodyFile(name, { folder, where }) {
  const content = readBounded(resolve(folder, name), {
    bytes: LARGEST_BYTES,
    named: `${where}: ${name}`,
    mend: `name a file of at most ${LARGEST_BYTES} bytes, relative to ${folder}`,
  });
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, bytes: content.length, sha256, base64: content.toString('base64') };
}
