/** @import { Server } from '../../types.js' */

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readBounded } from '../../system/bounded-file.js';
import { installOf, PACKAGES } from '../runtimes.js';

/**
 * A fresh checkout has nothing installed, even if the user installed it by hand.
 * @param {Server} server @param {string} top the checkout's folder
 * @returns {Server} the same, with the command that installs it if its manifest has none
 */
export function withInstall(server, top) {
  const packages = PACKAGES.find(({ manifest }) => existsSync(join(server.folder, manifest)));
  if (server.install !== undefined || !packages) return server;
  const folders = upwards(server.folder, top);
  const { lock, says, command } = installOf(packages, (file) => {
    const path = folders.map((folder) => join(folder, file)).find(existsSync);
    return path === undefined ? undefined : readBounded(path).toString();
  });
  const isBare = !lock && !says?.test(readBounded(join(server.folder, packages.manifest)).toString());
  return isBare ? server : { ...server, install: command.split(' ') };
}

/** @param {string} folder @param {string} top @returns {string[]} the folder and those above it, up to top */
function upwards(folder, top) {
  return folder === top || relative(top, folder).startsWith('..')
    ? [folder]
    : [folder, ...upwards(dirname(folder), top)];
}
