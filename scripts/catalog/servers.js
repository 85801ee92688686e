/**
 * Turns the servers a configuration names (catalogue ids, folders, manifests written out) into manifests.
 * @import { Server } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { MANIFEST, readCatalog, readServer, resolveServer } from './catalog.js';
import { KINDS } from '../config/kinds.js';
import { nearestAndAll } from '../model/nearest.js';

/**
 * @typedef {{
 *   folders: string[],
 *   root: string,
 *   where: (...inside: (string | number)[]) => string,
 *   known?: string[],
 * }} Place folders: what a path may be relative to, the first before the others; known: names beside the catalogue's
 */

/**
 * @param {import('../config/layers.js').Layer} layer
 * @param {{ cwd: string, root: string }} context
 * @returns {{ entry: string | Record<string, any>, id: string, place: Place }[]} the servers that it names
 */
export function listedServers(layer, { cwd, root }) {
  const written = layer.get('servers');
  if (written === undefined) return [];
  return KINDS.entries(written, layer.where('servers')).map((entry) => {
    const index = Array.isArray(written) ? Math.max(0, written.indexOf(entry)) : 0;
    const where = (/** @type {(string | number)[]} */ ...inside) => layer.where('servers', index, ...inside);
    return {
      entry,
      id: typeof entry === 'object' ? String(entry.id) : basename(resolve(layer.folder, entry)),
      place: { folders: [layer.folder, cwd], root, where },
    };
  });
}

/**
 * @param {string | Record<string, any>} entry
 * @param {Place} place where: names the entry, or a key inside it, in messages
 * @returns {Server}
 * @throws {UserError}
 */
export function findServer(entry, { folders, root, where, known = [] }) {
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
  const built = servers.get(entry);
  if (built !== undefined) return readServer(built);
  const candidates = folders.map((folder) => resolve(folder, entry));
  const found = candidates.find((folder) => existsSync(join(folder, MANIFEST)));
  if (found !== undefined) return readServer(found);
  if (/[/\\]/.test(entry) || candidates.some((folder) => existsSync(folder))) {
    throw new UserError(`${where()}: there is no ${join(entry, MANIFEST)}; add one to the server's folder`);
  }
  throw new UserError(
    `${where()}: unknown server "${entry}"${nearestAndAll(entry, [...new Set([...known, ...servers.keys()])])}, or a folder with a ${MANIFEST}`,
  );
}

/**
 * @param {string} root
 * @returns {Server | undefined} the catalogue's server that calls itself the reference
 */
export function findReference(root) {
  return [...readCatalog(root).servers.values()].map(readServer).find(({ reference }) => reference);
}
