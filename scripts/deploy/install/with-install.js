/**
 * @import { Server } from '../../types.js'
 * @import { Install } from '../runtimes.js'
 */

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
  const install = server.install === undefined ? installIn(server.folder, top) : undefined;
  return install ? { ...server, install: install.command.split(' ') } : server;
}

/**
 * @param {string} folder @param {string} top where the search for its lock file ends
 * @returns {Install | undefined} undefined for a project without dependencies
 */
export function installIn(folder, top) {
  const packages = PACKAGES.find(({ manifest }) => existsSync(join(folder, manifest)));
  if (!packages) return undefined;
  const folders = upwards(folder, top);
  const install = installOf(packages, (file) => {
    const path = folders.map((above) => join(above, file)).find(existsSync);
    return path === undefined ? undefined : readBounded(path).toString();
  });
  const isBare =
    !install.lock && !install.says?.test(readBounded(join(folder, packages.manifest)).toString());
  return isBare ? undefined : install;
}

/** @param {string} folder @param {string} top @returns {string[]} the folder and those above it, up to top */
function upwards(folder, top) {
  return folder === top || relative(top, folder).startsWith('..')
    ? [folder]
    : [folder, ...upwards(dirname(folder), top)];
}
