/**
 * Packages of Node: their manifests, the workspaces they belong to, and how they are installed.
 * @import { Runtime } from '../../deploy/runtimes.js'
 * @import { Sources } from '../types.js'
 */

import picomatch from 'picomatch';
import { installOf, RUNTIMES } from '../../deploy/runtimes.js';
import { folderOf, inside } from '../folders.js';

const { packages: PACKAGES_OF_NODE } = /** @type {Required<Runtime>} */ (RUNTIMES.node);

/**
 * @typedef {{ name?: string, private?: boolean, files?: string[], main?: string, bin?: unknown, scripts?: Record<string, string>, dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>, packageManager?: string, workspaces?: string[] | { packages?: string[] } }} Manifest
 */

/**
 * @param {Sources} sources
 * @param {string} folder
 * @returns {Manifest} empty where it is no JSON
 */
export function readManifest(sources, folder) {
  try {
    return JSON.parse(sources.get(inside(folder, 'package.json')) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/**
 * @param {Sources} sources
 * @returns {Set<string>} the folders of the workspaces' packages
 */
export function membersOf(sources) {
  const { workspaces } = readManifest(sources, '');
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  const pnpm = [...(sources.get('pnpm-workspace.yaml') ?? '').matchAll(/^\s*-\s*['"]?([^'"\s#]+)/gm)];
  const globs = [...listed, ...pnpm.map((match) => match[1] ?? '')].map((glob) => glob.replace(/^\.\//, ''));
  const isMember = picomatch(globs);
  const folders = [...sources.keys()].filter((file) => file.endsWith('/package.json')).map(folderOf);
  return new Set(globs.length > 0 ? folders.filter((folder) => isMember(folder)) : []);
}

/**
 * In a workspace the dependencies are those of the root's lock file, and the code of the packages that a server depends on
 * is part of it.
 * @param {Sources} sources
 * @param {string} folder
 * @param {Set<string>} members
 * @returns {string[]} globs
 */
export function memberPaths(sources, folder, members) {
  const { lock } = installIn(sources, '');
  const parts = [folder, ...siblingsOf(sources, folder, members)];
  return [...parts.map((each) => `${each}/**`), 'package.json', ...(lock ? [lock] : [])];
}

/**
 * @param {Sources} sources
 * @param {string} folder of a member
 * @param {Set<string>} members
 * @returns {string[]} the other members that it depends on, each after those that it depends on itself
 */
export function siblingsOf(sources, folder, members) {
  const named = new Map([...members].map((each) => [readManifest(sources, each).name, each]));
  /** @type {Set<string>} */
  const seen = new Set([folder]);
  const below = (/** @type {string} */ part) => {
    const { dependencies, devDependencies } = readManifest(sources, part);
    /** @type {string[]} */
    const found = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
      const sibling = named.get(name);
      if (sibling === undefined || seen.has(sibling)) return [];
      seen.add(sibling);
      return [...below(sibling), sibling];
    });
    return found;
  };
  return below(folder);
}

/**
 * Yarn installs no node_modules unless told to: then nothing but the Node it starts itself finds a package.
 * Source: yarnpkg.com, "Plug'n'Play".
 * @param {Sources} sources
 * @param {{ root: string, start: string }} of root: the folder of the lock file
 * @returns {string} the line that starts it
 */
export function foundByYarn(sources, { root, start }) {
  const settings = sources.get(inside(root, '.yarnrc.yml')) ?? '';
  const isModern = /^yarn install --immutable$/.test(installIn(sources, root).command);
  if (!isModern || /^nodeLinker:\s*['"]?(node-modules|pnpm)/m.test(settings)) return start;
  return start.replace(/^node /, 'yarn node ').replace(/^npx /, 'yarn ');
}

/**
 * @param {Sources} sources
 * @param {string} folder of a package
 */
export function installIn(sources, folder) {
  const found = installOf(PACKAGES_OF_NODE, (file) => sources.get(inside(folder, file)));
  const [, manager] = /^(pnpm|yarn)@/.exec(readManifest(sources, folder).packageManager ?? '') ?? [];
  // Without a lock file the manifest still says who installs.
  return found.lock || manager === undefined
    ? found
    : { ...found, command: `${manager} install`, run: `${manager} run` };
}
