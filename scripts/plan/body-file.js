/**
 * A request's body that is no text: the bytes of a file.
 * @import { BodyFile } from '../types.js'
 */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../errors.js';

/** Every load tool holds it in memory, and every window reads it anew. */
const LARGEST_BYTES = 2 ** 20;

/**
 * @param {string} name relative to folder
 * @param {{ folder: string, where: string }} context where: names the key in messages
 * @returns {BodyFile}
 * @throws {UserError} where there is no such file, or it is too large
 */
export function readBodyFile(name, { folder, where }) {
  const file = resolve(folder, name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile())
    throw new UserError(`${where}: there is no file ${name}; it is relative to ${folder}`);
  if (found.size > LARGEST_BYTES)
    throw new UserError(`${where}: ${name} has ${found.size} bytes; use at most ${LARGEST_BYTES}`);
  const content = readFileSync(file);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, bytes: content.length, sha256, base64: content.toString('base64') };
}

/**
 * @param {{ body?: string | Uint8Array | undefined, bodyFile?: BodyFile | undefined }} request
 * @returns {string | Uint8Array | undefined} what is sent
 */
export function bodyOf({ body, bodyFile }) {
  return bodyFile?.base64 === undefined ? body : Buffer.from(bodyFile.base64, 'base64');
}
