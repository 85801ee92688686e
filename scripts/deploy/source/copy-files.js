/**
 * The files of `copy:`, brought from the user's folder to where the server is built and started.
 * @import { Server } from '../../types.js'
 */

import { copyFileSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../../model/errors.js';

/** A file of settings is small; what is not is data, and has other ways. */
const MOST_BYTES_COPIED = 16 * 1024 * 1024;

/**
 * @param {Server} server nothing is done where it runs in the user's folder
 * @throws {UserError} for what is not there, is no plain file inside the folder, or too large
 */
export function copyListed({ id, folder, origin, copy = [] }) {
  if (origin === undefined) return;
  for (const file of copy) {
    const source = join(origin, file);
    const found = lstatSync(source, { throwIfNoEntry: false });
    const why = !found
      ? `there is no such file in ${origin}`
      : !found.isFile() || relative(realpathSync(origin), realpathSync(source)) !== join(file)
        ? 'it is not a regular file inside the server’s folder'
        : found.size > MOST_BYTES_COPIED
          ? `it has more than ${MOST_BYTES_COPIED / 1024 / 1024} MB`
          : undefined;
    if (why !== undefined) throw new UserError(`server "${id}": copy: ${file} cannot be copied: ${why}`);
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
}
