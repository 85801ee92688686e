/**
 * Which server is measured on which side of a comparison.
 * @import { Config, Server, Warning } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { withInstall } from '../deploy/install/with-install.js';
import { PROJECT_FILES } from '../deploy/runtimes.js';
import { UserError } from '../model/errors.js';

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
 * the same on every side, and so is the reference, which no change may touch. A server that the checkout does not
 * describe itself is measured there as the present words have it, never as a built-in one of the same name.
 * @param {Config} config
 * @param {{ top: string, folder: string, home?: string, readAgain?: (cwd: string) => Config, cwd: string,
 *   added?: string[] }} place top: the repository's folder; folder: that of the other checkout, home: its place;
 *   readAgain: reads the configuration as that checkout has it; cwd: the working directory that config was read in;
 *   added: files that the other checkout lacks, from top
 * @returns {{ servers: Record<string, Server>, warnings: Warning[] }} without those whose folder, or a file that their
 *   commands name, is not there
 */
export function serversIn({ servers, reference }, { top, folder, home, readAgain, cwd, added = [] }) {
  const moved = (/** @type {string} */ path) => (isIn(top, path) ? join(folder, relative(top, path)) : path);
  const own = readAgain && readOwn(readAgain, { cwd: moved(cwd), folder, top });
  const placed = servers.map((server) => {
    const origin = server.folder;
    const mine = own?.get(server.id);
    const isBorrowed = readAgain !== undefined && isIn(top, origin) && !(mine && isIn(folder, mine.folder));
    const there = mine && !isBorrowed ? mine : { ...server, folder: moved(origin) };
    const isThere = existsSync(there.folder) && !(isBorrowed && lacksFiles(server, { top, added }));
    return { server, there, isThere, isBorrowed: isBorrowed && mine?.folder !== origin };
  });
  const found = placed.flatMap(({ server, there, isThere }) => {
    if (server.id === reference?.id) return server;
    if (!isThere) return [];
    if (there.folder === server.folder) return there;
    const { copy, folder: origin } = server;
    return withInstall({ ...there, origin, ...(home && { home }), ...(copy && { copy }) }, folder);
  });
  return {
    servers: serversById({ servers: found, ...(reference && { reference }) }),
    warnings: [
      ...told(
        'described-by-head',
        placed.filter(({ isBorrowed, isThere }) => isBorrowed && isThere),
      ),
      ...told(
        'new-in-head',
        placed.filter(({ isThere }) => !isThere && readAgain !== undefined),
      ),
    ],
  };
}

/**
 * @param {string} code
 * @param {{ server: Server }[]} placed
 * @returns {Warning[]} one, or none of no server
 */
function told(code, placed) {
  return placed.length === 0 ? [] : [{ code, servers: placed.map(({ server }) => server.name) }];
}

/**
 * @param {string} folder
 * @param {string} path
 */
function isIn(folder, path) {
  return !relative(folder, path).startsWith('..');
}

/**
 * @param {Server} server
 * @param {{ top: string, added: string[] }} head
 * @returns {boolean} whether its project, or a file that its commands name, came with the head only
 */
function lacksFiles({ folder, install = '', build = '', start }, { top, added }) {
  const words = [install, build, start].flat().flatMap((line) => line.split(/[\s'"]+/));
  const files = [...words.filter(Boolean), ...PROJECT_FILES].map((word) => relative(top, join(folder, word)));
  return files.some((file) => added.includes(file));
}

/**
 * What the other checkout says of its servers; where it says nothing that can be read, the present words serve for it. A server
 * in a repository's own folder has that folder's name, and there it has the name that it has here.
 * @param {(cwd: string) => Config} readAgain
 * @param {{ cwd: string, folder: string, top: string }} place cwd: in the other checkout
 * @returns {Map<string, Server> | undefined}
 */
function readOwn(readAgain, { cwd, folder, top }) {
  const [there, here] = [basename(folder), basename(top)];
  const asHere = (/** @type {Server} */ server) =>
    server.folder === folder && server.id === there
      ? { ...server, id: here, name: server.name === there ? here : server.name }
      : server;
  try {
    return new Map(
      readAgain(cwd)
        .servers.map(asHere)
        .map((server) => [server.id, server]),
    );
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
