/** Which servers a change can affect. @import { Case, Config, Server } from '../types.js' */

import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { MANIFEST } from '../catalog/catalog.js';
import { STANDARD_CONFIG } from '../config/layers.js';
import { isAlike } from '../model/reference.js';

/** Files that say how servers are built, started and loaded. */
const DESCRIPTIONS = [MANIFEST, STANDARD_CONFIG];

/**
 * A changed file affects a server if it matches the server's `paths` (every file does if there are none) and
 * not `ignore`. A changed perf.yml or server.yml affects every server.
 * @param {Pick<Config, 'servers' | 'ignore'>} config
 * @param {string[]} changedFiles as of `git diff --name-only`: from the repository's root, with slashes
 * @returns {Server[]} in the order of the config
 */
export function relevantServers(config, changedFiles) {
  return config.servers.filter((server) => changedFiles.some(affecting(server, config)));
}

/** @type {(server: Server, config: Pick<Config, 'ignore'>) => (file: string) => boolean} */
function affecting({ paths }, { ignore }) {
  const isIgnored = matcher(ignore);
  const isMeant = paths ? matcher(paths) : () => true;
  return (file) => !isIgnored(file) && (DESCRIPTIONS.includes(basename(file)) || isMeant(file));
}

/**
 * @param {Pick<Config, 'servers' | 'ignore'>} head
 * @param {Pick<Config, 'servers' | 'ignore'>} base
 * @param {string[]} files as for {@link relevantServers}
 * @returns {string[]} those that affect a server of both by the base alone
 */
export function noLongerRelevant(head, base, files) {
  const pairs = base.servers.flatMap((server) => {
    const own = head.servers.find(({ id }) => id === server.id);
    return own ? [[affecting(server, base), affecting(own, head)]] : [];
  });
  return files.filter((file) => pairs.some(([before, now]) => before?.(file) && !now?.(file)));
}

/**
 * Whether its file changed, be it the link by which it is found or what that leads to. changed: from top.
 * @type {(config: Pick<Config, 'file'>, change: { top: string, changed: string[] }) => boolean}
 */
export function isConfigurationChanged({ file }, { top, changed }) {
  if (file === undefined) return false;
  const places = [realpathSync(file), join(realpathSync(dirname(file)), basename(file))];
  return places.some((place) => changed.includes(relative(top, place)));
}

/** With their cases, and the reference's alike ones. @type {(config: Config, servers: Server[]) => Config} */
export function onlyServers(config, servers) {
  const ids = new Set(servers.map(({ id }) => id));
  const own = config.cases.filter(({ server }) => ids.has(server));
  const isNeeded = (/** @type {Case} */ planned) =>
    ids.has(planned.server) || (planned.reference && own.some((each) => isAlike(planned, each)));
  return { ...config, servers, cases: config.cases.filter(isNeeded) };
}

/** With the servers that are affected. @type {(config: Config, changedFiles: string[]) => Config} */
export function onlyRelevant(config, changedFiles) {
  return onlyServers(config, relevantServers(config, changedFiles));
}

/** With that case alone. @type {(config: Config, id: string) => Config} */
export function onlyCase(config, id) {
  const cases = config.cases.filter((planned) => planned.id === id);
  return { ...config, cases, servers: config.servers.filter((server) => cases[0]?.server === server.id) };
}

/**
 * As `paths` in a workflow file: the last match decides, `!` excludes, names with a dot are ordinary.
 * @type {(patterns: string[]) => (file: string) => boolean}
 */
function matcher(patterns) {
  const rules = patterns.map((pattern) => {
    const excludes = pattern.startsWith('!');
    // `**` crosses slashes anywhere in a workflow file; picomatch wants it to be a whole part of the path.
    const glob = (excludes ? pattern.slice(1) : pattern).replace(/(^|\/)\*\*(?=[^/])/g, '$1**/*');
    return { includes: !excludes, matches: picomatch(glob, { dot: true, nonegate: true }) };
  });
  return (file) => rules.findLast(({ matches }) => matches(file))?.includes === true;
}
