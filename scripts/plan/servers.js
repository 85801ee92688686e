/**
 * Turns the servers a configuration names (catalogue ids, folders, manifests written out) into manifests.
 * @import { Server } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../errors.js';
import { MANIFEST, readCatalog, readServer, resolveServer } from './catalog.js';
import { nearestAndAll } from './nearest.js';

/**
 * @typedef {{
 *   folders: string[],
 *   root: string,
 *   where: (...inside: (string | number)[]) => string,
 * }} Place folders: what a path may be relative to, the first before the others
 */

/**
 * @param {string | Record<string, any>} entry
 * @param {Place} place where: names the entry, or a key inside it, in messages
 * @returns {Server}
 * @throws {UserError}
 */
export function findServer(entry, { folders, root, where }) {
  if (typeof entry === 'object') {
    const folder = resolve(/** @type {string} */ (folders[0]), entry.folder ?? '');
    if (!existsSync(folder)) {
      throw new UserError(
        `${where('folder')}: there is no folder ${entry.folder}; it is relative to this file`,
      );
    }
    return resolveServer(entry, {
      id: entry.id,
      folder,
      where: (key) => where(...key.split('.')),
    });
  }
  const { servers } = readCatalog(root);
  const known = servers.get(entry);
  if (known !== undefined) return readServer(known);
  const candidates = folders.map((folder) => resolve(folder, entry));
  const found = candidates.find((folder) => existsSync(join(folder, MANIFEST)));
  if (found !== undefined) return readServer(found);
  if (/[/\\]/.test(entry) || candidates.some((folder) => existsSync(folder))) {
    throw new UserError(`${where()}: there is no ${join(entry, MANIFEST)}; a server's folder holds one`);
  }
  throw new UserError(
    `${where()}: unknown server "${entry}"${nearestAndAll(entry, [...servers.keys()])}, or a folder with a ${MANIFEST}`,
  );
}

/**
 * @param {string} root
 * @returns {Server | undefined} the catalogue's server that calls itself the reference
 */
export function findReference(root) {
  return [...readCatalog(root).servers.values()].map(readServer).find(({ reference }) => reference);
}
