/**
 * Turns the servers a configuration names (catalogue ids, folders, manifests written out) into manifests.
 * @import { Caller, Server } from '../../types.js'
 * @import { Layer } from '../layers.js'
 */

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { KINDS } from '../kinds.js';
import { UserError } from '../../model/errors.js';
import { nearest } from '../../model/nearest.js';
import { MANIFEST, readCatalog, readServer, resolveServer } from '../../catalog/catalog.js';

/**
 * @typedef {object} Place
 * @property {string[]} folders a path may be relative to any of them; the first has precedence
 * @property {string} root the catalogue's
 * @property {Caller} caller
 * @property {(...inside: (string | number)[]) => string} where names the entry, or a key inside it
 * @property {string[]} [known] names beside the catalogue's
 */

/**
 * @param {Layer} layer
 * @param {{ cwd: string, root: string, caller: Caller }} context
 * @returns {{ entry: string | Record<string, any>, id: string, place: Place }[]} the servers that it names
 */
export function listedServers(layer, { cwd, root, caller }) {
  const written = layer.get('servers');
  if (written === undefined) return [];
  return KINDS.entries(written, layer.where('servers'), caller).map((entry) => {
    const index = Array.isArray(written) ? Math.max(0, written.indexOf(entry)) : 0;
    const where = (/** @type {(string | number)[]} */ ...inside) => layer.where('servers', index, ...inside);
    return {
      entry,
      id: typeof entry === 'object' ? String(entry.id) : basename(resolve(layer.folder, entry)),
      place: { folders: [layer.folder, cwd], root, caller, where },
    };
  });
}

/**
 * @type {(entry: string | Record<string, any>, place: Place) => Server}
 * @throws {UserError}
 */
export function findServer(entry, { folders, root, caller, where, known = [] }) {
  if (typeof entry === 'object') {
    const folder = resolve(folders[0] ?? '', entry.folder ?? '');
    const missing = `${where('folder')}: there is no folder ${entry.folder}; it is relative to this file`;
    if (!existsSync(folder)) throw new UserError(missing);
    return resolveServer(entry, { id: entry.id, folder, where: (key) => where(...key.split('.')), caller });
  }
  const { servers } = readCatalog(root);
  const candidates = folders.map((folder) => resolve(folder, entry));
  const folder = servers.get(entry) ?? candidates.find((each) => existsSync(join(each, MANIFEST)));
  if (folder !== undefined) return readServer(folder, caller);
  if (/[/\\]/.test(entry) || candidates.some((each) => existsSync(each)))
    throw new UserError(`${where()}: there is no ${join(entry, MANIFEST)}; add one to the server's folder`);
  const names = [...new Set([...known, ...servers.keys()])];
  throw new UserError(
    `${where()}: unknown server "${entry}", and no folder with a ${MANIFEST}${nearest(entry, names)}`,
  );
}
