/**
 * Copies the files of `copy:` from the user's folder to where the server is built and started.
 * @import { Server } from '../../types.js'
 */

import { copyFileSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../../model/errors.js';

/** Settings are small; data has other ways. */
const MOST_BYTES_COPIED = 16 * 1024 * 1024;

/**
 * @param {Server} server nothing is copied if it runs in the user's folder
 * @throws {UserError} for a file that is missing, is no regular file inside the folder, or too large
 */
export function copyListed({ id, folder, origin, copy = [] }) {
  if (origin === undefined) return;
  for (const file of copy) {
    const source = join(origin, file);
    const stats = lstatSync(source, { throwIfNoEntry: false });
    const why = !stats
      ? `there is no such file in ${origin}`
      : !stats.isFile() || relative(realpathSync(origin), realpathSync(source)) !== join(file)
        ? 'it is not a regular file inside the server’s folder'
        : stats.size > MOST_BYTES_COPIED
          ? `it has more than ${MOST_BYTES_COPIED / 1024 / 1024} MB`
          : undefined;
    if (why !== undefined) throw new UserError(`server "${id}": copy: ${file} cannot be copied: ${why}`);
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
}
