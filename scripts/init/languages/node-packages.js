/**
 * Packages of Node: their manifests, workspaces and installation.
 * @import { Install, Runtime } from '../../deploy/runtimes.js'
 * @import { Manifest, Sources } from '../types.js'
 */

import { posix } from 'node:path';
import picomatch from 'picomatch';
import { installOf, RUNTIMES } from '../../deploy/runtimes.js';
import { foldersAbove, foldersWith, globOf, jsonOf, sourcesIn } from '../folders.js';

const { packages: PACKAGES_OF_NODE } = /** @type {Required<Runtime>} */ (RUNTIMES.node);

/** @typedef {ReturnType<typeof packagesIn>[number]} Package */

/** @param {Sources} sources @param {string} name @param {string} preferredFolder programs in this folder go before others */
export function packagesIn(sources, name, preferredFolder) {
  const folders = foldersWith(sources, /^package\.json$/);
  const workspaces = new Map(folders.map((folder) => [folder, workspaceOf(sources, folder)]));
  return folders.map((folder) => {
    const workspace = workspaces.get(folder);
    const root = workspace ?? folder;
    const members = folders.filter((each) => workspace !== undefined && workspaces.get(each) === workspace);
    return {
      sources,
      folder,
      manifest: readManifest(sources, folder),
      own: sourcesIn(sources, folder),
      /** The folder where it is installed. */
      root,
      install: installIn(sources, root),
      /** Folders of the workspace's packages that it depends on, in the order to build them. */
      siblings: siblingsOf(sources, folder, members),
      name,
      preferredFolder,
    };
  });
}

/** @param {Sources} sources @param {string} folder @returns {Manifest} empty if it is not JSON */
export function readManifest(sources, folder) {
  return jsonOf(sources.get(posix.join(folder, 'package.json')), {});
}

/** @param {Sources} sources @param {string} folder @returns {string | undefined} the folder of the workspace that it is a member of */
function workspaceOf(sources, folder) {
  return foldersAbove(folder).find((above) => {
    const globs = globsIn(sources, above);
    const matches = (/** @type {string} */ glob) => picomatch.isMatch(posix.relative(above, folder), glob);
    const isExcluded = globs.some((glob) => glob.startsWith('!') && matches(glob.slice(1)));
    return !isExcluded && globs.some((glob) => !glob.startsWith('!') && matches(glob));
  });
}

/** @param {Sources} sources @param {string} folder @returns {string[]} of the members of the workspace there, without ./ and a slash at the end */
function globsIn(sources, folder) {
  const { workspaces } = readManifest(sources, folder);
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  const text = sources.get(posix.join(folder, 'pnpm-workspace.yaml')) ?? '';
  const pnpm = [...text.matchAll(/^\s*-\s*['"]?([^'"\s#]+)/gm)].map(([, glob = '']) => glob);
  return [...listed, ...pnpm].map((glob) => glob.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''));
}

/** The other members that a member depends on, in the order to build them. @param {Sources} sources @param {string} folder @param {string[]} members */
function siblingsOf(sources, folder, members) {
  const named = new Map(members.map((member) => [readManifest(sources, member).name, member]));
  const seen = new Set([folder]);
  /** @param {string} member @returns {string[]} */
  const dependenciesOf = (member) => {
    const { dependencies, devDependencies } = readManifest(sources, member);
    return Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
      const sibling = named.get(name);
      if (sibling === undefined || seen.has(sibling)) return [];
      seen.add(sibling);
      return [...dependenciesOf(sibling), sibling];
    });
  };
  return dependenciesOf(folder);
}

/** @param {Sources} sources @param {string} folder @returns {Install} */
function installIn(sources, folder) {
  const install = installOf(PACKAGES_OF_NODE, (file) => sources.get(posix.join(folder, file)));
  const [, manager] = /^(pnpm|yarn)@/.exec(readManifest(sources, folder).packageManager ?? '') ?? [];
  if (install.lock || manager === undefined) return install;
  return { ...install, command: `${manager} install`, run: `${manager} run` };
}

/** @param {Package} pack @returns {string[]} globs of what a member is made of; empty for the whole repository */
export function pathsOf({ folder, root, siblings, install: { lock } }) {
  if (root === folder) return [];
  const shared = ['package.json', ...(lock ? [lock] : [])];
  return [
    ...[folder, ...siblings].map((part) => `${globOf(part)}/**`),
    ...shared.map((file) => posix.join(globOf(root), file)),
  ];
}

/**
 * Modern Yarn installs no node_modules by default; then only the Node that Yarn starts finds packages (yarnpkg.com, "Plug'n'Play").
 * @param {Package} pack
 * @param {string} start
 */
export function startedByYarn({ sources, root, install: { command } }, start) {
  const settings = sources.get(posix.join(root, '.yarnrc.yml')) ?? '';
  const hasModules = /^nodeLinker:\s*['"]?(node-modules|pnpm)/m.test(settings);
  if (command !== 'yarn install --immutable' || hasModules) return start;
  return start.replace(/^node /, 'yarn node ').replace(/^npx /, 'yarn ');
}
