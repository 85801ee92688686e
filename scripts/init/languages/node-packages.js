/**
 * Packages of Node: their manifests, workspaces and installation.
 * @import { Runtime } from '../../deploy/runtimes.js'
 * @import { Manifest, Sources } from '../candidates.js'
 */

import { posix } from 'node:path';
import { installOf, RUNTIMES } from '../../deploy/runtimes.js';
import { readManifest, workspaceOf } from '../../system/workspaces.js';
import { foldersWith, globOf, sourcesIn } from '../source-tree.js';

const { packages: PACKAGES_OF_NODE } = /** @type {Required<Runtime>} */ (RUNTIMES.node);

/** @typedef {{ folder: string, manifest: Manifest, workspace: string | undefined }} Member */
/** @typedef {ReturnType<typeof packagesIn>[number]} Package */

/**
 * @param {Sources} sources
 * @param {string} name
 * @param {string} preferredFolder programs in this folder go before others
 */
export function packagesIn(sources, name, preferredFolder) {
  // The repository is searched as if it were the whole disk.
  const read = (/** @type {string} */ file) => sources.get(file.slice(1));
  /** @type {Member[]} */
  const all = foldersWith(sources, /^package\.json$/).map((folder) => ({
    folder,
    manifest: readManifest(`/${folder}`, read),
    workspace: workspaceOf(`/${folder}`, read)?.slice(1),
  }));
  return all.map((member) => {
    const { folder, manifest, workspace } = member;
    const root = workspace ?? folder;
    const members = all.filter((each) => workspace !== undefined && each.workspace === workspace);
    const install = installOf(PACKAGES_OF_NODE, (file) => sources.get(posix.join(root, file)));
    const [, manager] = /^(pnpm|yarn)@/.exec(readManifest(`/${root}`, read).packageManager ?? '') ?? [];
    const isNamed = !install.lock && manager !== undefined;
    return {
      sources,
      folder,
      manifest,
      own: sourcesIn(sources, folder),
      /** The folder where it is installed. */
      root,
      install: isNamed ? { ...install, command: `${manager} install`, run: `${manager} run` } : install,
      /** The workspace's packages that it depends on, in the order to build them. */
      siblings: siblingsOf(member, members),
      name,
      preferredFolder,
    };
  });
}

/** @type {(member: Member, members: Member[], seen?: Set<Member>) => Member[]} */
function siblingsOf(member, members, seen = new Set([member])) {
  const { dependencies, devDependencies } = member.manifest;
  return Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
    const sibling = members.findLast(({ manifest }) => manifest.name === name);
    if (sibling === undefined || seen.has(sibling)) return [];
    seen.add(sibling);
    return [...siblingsOf(sibling, members, seen), sibling];
  });
}

/** Globs of a member's parts; empty for the whole repository. @type {(pack: Package) => string[]} */
export function pathsOf({ folder, root, siblings, install: { lock } }) {
  if (root === folder) return [];
  const shared = ['package.json', ...(lock ? [lock] : [])];
  return [
    ...[folder, ...siblings.map((sibling) => sibling.folder)].map((part) => `${globOf(part)}/**`),
    ...shared.map((file) => posix.join(globOf(root), file)),
  ];
}

/**
 * Modern Yarn installs no node_modules by default; then only the Node that Yarn starts finds packages
 * (yarnpkg.com, "Plug'n'Play").
 * @type {(pack: Package, start: string) => string}
 */
export function startedByYarn({ sources, root, install: { command } }, start) {
  const settings = sources.get(posix.join(root, '.yarnrc.yml')) ?? '';
  const hasModules = /^nodeLinker:\s*['"]?(node-modules|pnpm)/m.test(settings);
  if (command !== 'yarn install --immutable' || hasModules) return start;
  return start.replace(/^node /, 'yarn node ').replace(/^npx /, 'yarn ');
}
