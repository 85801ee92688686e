/**
 * Which servers a change can matter to.
 * @import { Case, Config, Server } from '../types.js'
 */

import { basename } from 'node:path';
import picomatch from 'picomatch';
import { MANIFEST } from '../catalog/catalog.js';
import { STANDARD_CONFIG } from '../config/layers.js';
import { conditionsOf } from '../model/dimensions.js';

/** What says how servers are built, started and loaded. */
const DESCRIPTIONS = [MANIFEST, STANDARD_CONFIG];

/**
 * A server is touched by a changed file that is under its `paths` (by any, where it has none) and not under `ignore`.
 * A changed perf.yml or server.yml touches every server. For a run with `--against`: an empty list means that nothing
 * relevant changed, and servers that are not in the list need not be measured.
 * @param {Pick<Config, 'servers' | 'ignore'>} config
 * @param {string[]} changedFiles as `git diff --name-only` prints them: relative to the repository's root, with slashes
 * @returns {Server[]} those of the config's servers that are touched, in its order
 */
export function relevantServers({ servers, ignore }, changedFiles) {
  const isIgnored = matcher(ignore);
  const files = changedFiles.filter((file) => !isIgnored(file));
  if (files.some((file) => DESCRIPTIONS.includes(basename(file)))) return servers;
  return servers.filter(({ paths }) => files.some(paths ? matcher(paths) : () => true));
}

/**
 * @param {Config} config
 * @param {string[]} changedFiles as for {@link relevantServers}
 * @returns {Config} with the servers that are touched and their cases, which may be none; the reference stays where it
 *   has a load to share
 */
export function onlyRelevant(config, changedFiles) {
  const servers = relevantServers(config, changedFiles);
  const ids = new Set(servers.map(({ id }) => id));
  const touched = config.cases.filter(({ server }) => ids.has(server));
  const keyOf = (/** @type {Case} */ of) => JSON.stringify(conditionsOf(of));
  const loads = new Set(touched.map(keyOf));
  const cases = config.cases.filter(
    (each) => touched.includes(each) || (each.reference && loads.has(keyOf(each))),
  );
  return { ...config, servers, cases };
}

/**
 * @param {Config} config
 * @param {string} id of a case
 * @returns {Config} with that case alone
 */
export function onlyCase(config, id) {
  const cases = config.cases.filter((each) => each.id === id);
  return { ...config, cases, servers: config.servers.filter((server) => cases[0]?.server === server.id) };
}

/**
 * The rules of a workflow file's `paths`: the last pattern that matches decides, one with `!` takes out again, and names
 * with a dot are names like others.
 * @param {string[]} patterns
 * @returns {(file: string) => boolean}
 */
function matcher(patterns) {
  const rules = patterns.map((pattern) => {
    const excludes = pattern.startsWith('!');
    const glob = excludes ? pattern.slice(1) : pattern;
    return { includes: !excludes, matches: picomatch(throughSlashes(glob), { dot: true, nonegate: true }) };
  });
  return (file) => rules.findLast(({ matches }) => matches(file))?.includes === true;
}

/**
 * In a workflow file `**` passes slashes wherever it stands; picomatch wants it to be a whole part of the path.
 * @param {string} glob
 */
function throughSlashes(glob) {
  return glob.replace(/(^|\/)\*\*(?=[^/])/g, '$1**/*');
}
