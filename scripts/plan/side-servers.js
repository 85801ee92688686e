/**
 * Which server is measured on which side of a comparison.
 * @import { Config, Server, Warning } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { withInstall } from '../deploy/source/with-install.js';
import { PROJECT_FILES } from '../deploy/runtimes.js';
import { unlessMistaken } from '../model/attempt.js';
import { defined } from '../model/defined.js';

/** By id. @type {(measured: { servers: Server[], reference?: Server }) => Record<string, Server>} */
export function serversById({ servers, reference }) {
  return Object.fromEntries([reference ?? [], servers].flat().map((server) => [server.id, server]));
}

/**
 * @typedef {object} Checkout another checkout of the repository
 * @property {string} top the repository's own folder
 * @property {string} folder the folder of the other checkout
 * @property {string} [buildDir] the folder that contains the checkout
 * @property {(cwd: string) => Config} [readAgain] reads the configuration of that checkout
 * @property {string} cwd the working directory in which the config was read
 * @property {string[]} [added] files that the other checkout lacks, relative to top
 */

/**
 * The servers of a configuration as another checkout has them. A server outside the repository is the same on
 * every side, and so is the reference. A server that the checkout does not describe is measured there as this
 * one describes it, never as a built-in server of the same name. Leaves out servers whose folder, or a file
 * of whose commands, is not in the checkout.
 * @type {(config: Config, checkout: Checkout) => { servers: Record<string, Server>, warnings: Warning[] }}
 */
export function serversIn({ servers, reference }, { top, folder, buildDir, readAgain, cwd, added = [] }) {
  const moved = (/** @type {string} */ path) => (isIn(top, path) ? join(folder, relative(top, path)) : path);
  // Undefined, too, if the checkout has no configuration that can be read.
  const described =
    readAgain &&
    unlessMistaken(() => readAgain(moved(cwd)).servers.map((server) => asNamedIn(top, server, folder)));
  const placed = servers.map((server) => {
    const origin = server.folder;
    const own = described?.find(({ id }) => id === server.id);
    const isBorrowed = readAgain !== undefined && isIn(top, origin) && !(own && isIn(folder, own.folder));
    const there = own && !isBorrowed ? own : { ...server, folder: moved(origin) };
    const isThere = existsSync(there.folder) && !(isBorrowed && lacksFiles(server, { top, added }));
    return { server, there, isThere, isBorrowed: isBorrowed && own?.folder !== origin };
  });
  const measured = placed.flatMap(({ server, there, isThere }) => {
    if (server.id === reference?.id) return server;
    if (!isThere) return [];
    if (there.folder === server.folder) return there;
    // The requests of both sides are the head's, and so is the login whose token they name.
    const { copy, before, folder: origin } = server;
    const same = defined({ copy, before });
    return withInstall({ ...there, origin, ...(buildDir && { buildDir }), ...same });
  });
  const borrowed = placed.filter(({ isBorrowed, isThere }) => isBorrowed && isThere);
  const missing = placed.filter(({ isThere }) => !isThere && readAgain !== undefined);
  return {
    servers: serversById({ servers: measured, reference }),
    warnings: [...warningsOf('described-by-head', borrowed), ...warningsOf('new-in-head', missing)],
  };
}

/** @type {(code: 'described-by-head' | 'new-in-head', affected: { server: Server }[]) => Warning[]} */
function warningsOf(code, affected) {
  return affected.length === 0 ? [] : [{ code, servers: affected.map(({ server }) => server.name) }];
}

/** @type {(folder: string, path: string) => boolean} */
function isIn(folder, path) {
  return !relative(folder, path).startsWith('..');
}

/** If only the head has them. @type {(server: Server, head: { top: string, added: string[] }) => boolean} */
function lacksFiles({ folder, install = '', build = '', start }, { top, added }) {
  const words = [install, build, start].flat().flatMap((line) => line.split(/[\s'"]+/));
  const files = [...words.filter(Boolean), ...PROJECT_FILES].map((word) => relative(top, join(folder, word)));
  return files.some((file) => added.includes(file));
}

/**
 * A server at the top is named after its folder, which is another in a checkout. folder: the checkout's.
 * @type {(top: string, server: Server, folder: string) => Server}
 */
export function asNamedIn(top, server, folder) {
  const [checkoutName, name] = [basename(folder), basename(top)];
  if (server.folder !== folder || server.id !== checkoutName) return server;
  return { ...server, id: name, name: server.name === checkoutName ? name : server.name };
}
