/**
 * Packages of Node: their manifests, workspaces and installation.
 * @import { Install, Runtime } from '../../deploy/runtimes.js'
 * @import { Sources } from '../types.js'
 */

import { posix } from 'node:path';
import picomatch from 'picomatch';
import { installOf, RUNTIMES } from '../../deploy/runtimes.js';
import { foldersWith, sourcesIn } from '../folders.js';

const { packages: PACKAGES_OF_NODE } = /** @type {Required<Runtime>} */ (RUNTIMES.node);

/**
 * @typedef {object} Manifest
 * @property {string} [name]
 * @property {boolean} [private]
 * @property {string[]} [files]
 * @property {string} [main]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {string} [packageManager]
 * @property {string[] | { packages?: string[] }} [workspaces]
 */

/**
 * @typedef {object} Package
 * @property {Sources} sources of the whole repository
 * @property {string} folder
 * @property {Manifest} manifest
 * @property {Sources} own its files
 * @property {boolean} isMember of the repository's workspaces
 * @property {string} root the folder where it is installed
 * @property {Install} install
 * @property {string[]} siblings folders of the workspace's packages that it depends on, in the order to build them
 * @property {string} name the repository's
 * @property {string} below programs in this folder go before others
 */

/** @param {Sources} sources @param {{ name: string, below: string }} repository @returns {Package[]} */
export function packagesIn(sources, { name, below }) {
  const members = membersOf(sources);
  return foldersWith(sources, /^package\.json$/).map((folder) => {
    const isMember = members.has(folder);
    const root = isMember ? '' : folder;
    return {
      sources,
      folder,
      manifest: readManifest(sources, folder),
      own: sourcesIn(sources, folder),
      isMember,
      root,
      install: installIn(sources, root),
      siblings: isMember ? siblingsOf(sources, folder, members) : [],
      name,
      below,
    };
  });
}

/** @param {Sources} sources @param {string} folder @returns {Manifest} empty if it is no JSON */
export function readManifest(sources, folder) {
  try {
    return JSON.parse(sources.get(posix.join(folder, 'package.json')) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** @param {Sources} sources @returns {Set<string>} the folders of the workspaces' packages */
function membersOf(sources) {
  const { workspaces } = readManifest(sources, '');
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  const pnpm = [...(sources.get('pnpm-workspace.yaml') ?? '').matchAll(/^\s*-\s*['"]?([^'"\s#]+)/gm)];
  const globs = [...listed, ...pnpm.map(([, glob = '']) => glob)].map((glob) => glob.replace(/^\.\//, ''));
  const isMember = picomatch(globs);
  const folders = foldersWith(sources, /^package\.json$/);
  return new Set(globs.length > 0 ? folders.filter((folder) => folder !== '' && isMember(folder)) : []);
}

/**
 * @param {Sources} sources
 * @param {string} folder of a member
 * @param {Set<string>} members
 * @returns {string[]} the other members that it depends on, each after those that it depends on itself
 */
function siblingsOf(sources, folder, members) {
  const named = new Map([...members].map((member) => [readManifest(sources, member).name, member]));
  const seen = new Set([folder]);
  const below = (/** @type {string} */ part) => {
    const { dependencies, devDependencies } = readManifest(sources, part);
    /** @type {string[]} */
    const siblings = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
      const sibling = named.get(name);
      if (sibling === undefined || seen.has(sibling)) return [];
      seen.add(sibling);
      return [...below(sibling), sibling];
    });
    return siblings;
  };
  return below(folder);
}

/** @param {Sources} sources @param {string} folder @returns {Install} */
function installIn(sources, folder) {
  const install = installOf(PACKAGES_OF_NODE, (file) => sources.get(posix.join(folder, file)));
  const [, manager] = /^(pnpm|yarn)@/.exec(readManifest(sources, folder).packageManager ?? '') ?? [];
  // Without a lock file the manifest still says who installs.
  return install.lock || manager === undefined
    ? install
    : { ...install, command: `${manager} install`, run: `${manager} run` };
}

/** @param {Package} pack @returns {string[]} globs of what a member is made of; empty for the whole repository */
export function pathsOf({ folder, isMember, siblings, install: { lock } }) {
  if (!isMember) return [];
  return [...[folder, ...siblings].map((part) => `${part}/**`), 'package.json', ...(lock ? [lock] : [])];
}

/**
 * Modern Yarn installs no node_modules by default; then only the Node that Yarn starts finds packages.
 * Source: yarnpkg.com, "Plug'n'Play".
 * @param {Package} pack
 * @param {string} start
 * @returns {string} the line that starts it
 */
export function startedByYarn({ sources, root, install: { command } }, start) {
  const settings = sources.get(posix.join(root, '.yarnrc.yml')) ?? '';
  const hasModules = /^nodeLinker:\s*['"]?(node-modules|pnpm)/m.test(settings);
  if (command !== 'yarn install --immutable' || hasModules) return start;
  return start.replace(/^node /, 'yarn node ').replace(/^npx /, 'yarn ');
}
