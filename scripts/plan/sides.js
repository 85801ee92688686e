/**
 * Which server is measured on which side of a comparison.
 * @import { Config, Server } from '../types.js'
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../errors.js';

/** How a project that says nothing of its installation is installed, by its lock file. */
const INSTALLS = /** @type {const} */ ([
  ['package-lock.json', ['npm', 'ci']],
  ['npm-shrinkwrap.json', ['npm', 'ci']],
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install']],
]);

/** @typedef {{ servers: Server[], reference?: Server }} Measured */

/**
 * @param {Measured} measured
 * @returns {Record<string, Server>} by id
 */
export function serversById({ servers, reference }) {
  return Object.fromEntries(
    [...(reference ? [reference] : []), ...servers].map((server) => [server.id, server]),
  );
}

/**
 * The servers of a configuration as they are in another checkout of the repository. What lies outside the repository is
 * the same on every side, and so is the reference, which no change may touch.
 * @param {Config} config
 * @param {{ top: string, folder: string, readAgain?: (cwd: string) => Config, cwd: string }} place top: the repository's
 *   folder; folder: that of the other checkout; readAgain: reads the configuration as that checkout has it; cwd: the
 *   working directory that config was read in
 * @returns {Record<string, Server>} without those whose folder is not there
 */
export function serversIn({ servers, reference }, { top, folder, readAgain, cwd }) {
  const moved = (/** @type {string} */ path) => {
    const inside = relative(top, path);
    return inside.startsWith('..') ? path : join(folder, inside);
  };
  const own = readAgain && readOwn(readAgain, moved(cwd));
  const found = servers.flatMap((server) => {
    if (server.id === reference?.id) return server;
    const there = own?.get(server.id) ?? { ...server, folder: moved(server.folder) };
    if (!existsSync(there.folder)) return [];
    return there.folder === server.folder ? there : withInstall(there, folder);
  });
  return serversById({ servers: found, ...(reference && { reference }) });
}

/**
 * What the other checkout says of its servers; where it says nothing that can be read, the present words serve for it.
 * @param {(cwd: string) => Config} readAgain
 * @param {string} cwd
 * @returns {Map<string, Server> | undefined}
 */
function readOwn(readAgain, cwd) {
  try {
    return new Map(readAgain(cwd).servers.map((server) => [server.id, server]));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/**
 * A fresh checkout has no node_modules, even of a project that its owner installed by hand.
 * @param {Server} server
 * @param {string} top
 * @returns {Server}
 */
function withInstall(server, top) {
  const manifest = join(server.folder, 'package.json');
  if (server.install !== undefined || !existsSync(manifest)) return server;
  const folders = upwards(server.folder, top);
  const known = INSTALLS.find(([lock]) => folders.some((folder) => existsSync(join(folder, lock))));
  if (known) return { ...server, install: [...known[1]] };
  const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  return dependencies || devDependencies ? { ...server, install: ['npm', 'install'] } : server;
}

/**
 * @param {string} folder
 * @param {string} top
 * @returns {string[]} the folder and those above it, up to top
 */
function upwards(folder, top) {
  return folder === top || relative(top, folder).startsWith('..')
    ? [folder]
    : [folder, ...upwards(dirname(folder), top)];
}
