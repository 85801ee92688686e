/** Packages in a build directory, of any origin. @import { Library, LibraryPackage } from '../../types.js' */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../model/errors.js';
import { readIfThere } from '../../system/bounded-file.js';
import { isFolder } from '../../system/folder.js';
import { tryGit } from '../../system/git.js';
import { ask } from '../../system/process/find-program.js';
import { readManifest, workspaceOf } from '../../system/workspaces.js';
import { cacheFolder } from '../../system/cache-folder.js';
import { withScratch } from '../../system/scratch-folder.js';
import { serverEnvironment } from '../process/server-environment.js';
import { openBuildDir } from './build-cache.js';
import { treeOf } from './tree-record.js';
import { checkOutOrCopy } from './build-dir.js';
import { checkOut, shortHash } from './worktrees.js';

/** For a large package over a slow network. */
const MOST_MS = 600_000;

/** @typedef {{ dependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Ranges */
/** ranges: in package.json, by name. @typedef {{ library: Library, ranges: Record<string, Ranges> }} Made */

/**
 * @param {string} commit
 * @param {{ top: string, folders: string[], env: NodeJS.ProcessEnv, named: string }} context folders: of the
 *   packages, relative to the repository; named: the commit, as messages call it
 * @returns {Promise<Made>} with the packages of the same workspace that they depend on
 * @throws {UserError} where the commit lacks one of the packages
 */
export async function libraryAt(commit, { top, folders, env, named }) {
  const buildDir = await checkOut({ top, commit, env });
  const without = folders.filter((folder) => manifestOf(buildDir, folder).name === undefined);
  if (without.length === 0) return withWorkspace(buildDir, folders);
  const places = without.map((folder) => folder || '.').join(', ');
  throw new UserError(
    `library: ${named} has no package.json with a name in ${places}; name a folder that both sides have`,
  );
}

/**
 * @param {{ name: string, spec: string }} wanted name: that it gets; spec: as npm reads it
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, out: string }} context
 * @returns {Promise<Made>}
 * @throws {UserError} where it cannot be had
 */
export async function fetchPackage({ name, spec }, { cwd, env, out }) {
  const path = resolve(cwd, spec.replace(/^file:/, ''));
  if (!spec.startsWith('file:') || !isFolder(path)) return packedElsewhere({ name, spec }, { cwd, env });
  if (!existsSync(join(path, 'package.json')))
    throw new UserError(
      `--against ${name}@${spec}: there is no package.json in ${path}; name the folder of a package`,
    );
  const { buildDir, inside } = await checkOutOrCopy(path, { env, out, commits: new Map(), variant: '' });
  const { library, ranges } = await withWorkspace(buildDir, [inside]);
  const own = manifestOf(buildDir, inside).name;
  // A fork may have another name.
  const packages = library.packages.map((each) => (each.name === own ? { ...each, name } : each));
  return { library: { buildDir, packages }, ranges: { [name]: ranges[own] ?? {} } };
}

/** The line that says why npm failed. @type {(stderr: string) => string | undefined} */
export function npmError(stderr) {
  return /^npm error (?!code|syscall|path|errno|command)(.+)$/m.exec(stderr)?.[1];
}

/**
 * @type {(wanted: { name: string, spec: string }, context: { cwd: string, env: NodeJS.ProcessEnv }) =>
 *   Promise<Made>}
 */
async function packedElsewhere({ name, spec }, { cwd, env: caller }) {
  return withScratch(async (scratch) => {
    const env = serverEnvironment(caller, { runtime: 'node', env: {} });
    const line = ['pack', spec, '--pack-destination', scratch];
    const { error, stderr } = await ask('npm', line, { cwd, env, timeout: MOST_MS });
    const [file] = readdirSync(scratch);
    if (file === undefined) {
      const why = npmError(stderr) ?? error?.message ?? 'npm packed nothing';
      throw new UserError(`--against ${name}@${spec.replace(`${name}@`, '')}: it cannot be had: ${why}`);
    }
    const content = shortHash(readFileSync(join(scratch, file)));
    const place = cacheFolder(caller, 'packages', shortHash(name), content);
    const buildDir = await openBuildDir(place, async (tree) => {
      mkdirSync(tree);
      copyFileSync(join(scratch, file), join(tree, 'package.tgz'));
    });
    const tarball = join(treeOf(buildDir), 'package.tgz');
    return { library: { buildDir, packages: [{ name, tarball }] }, ranges: {} };
  });
}

/** The folders are of packages in its tree. @type {(buildDir: string, folders: string[]) => Promise<Made>} */
async function withWorkspace(buildDir, folders) {
  const tree = treeOf(buildDir);
  const files = (await tryGit(tree, 'ls-files', '-z', '--', ':(glob)**/package.json'))?.split('\0') ?? [];
  const members = files
    .map((file) => (file === '' ? '' : dirname(file).replace(/^\.$/, '')))
    .filter((folder) => workspaceOf(join(tree, folder), readIfThere) !== undefined);
  const byName = new Map(
    [...members, ...folders].map((folder) => [manifestOf(buildDir, folder).name, folder]),
  );
  /** @type {Map<string, LibraryPackage>} */
  const packages = new Map();
  const add = (/** @type {string} */ folder) => {
    const { name, dependencies, optionalDependencies } = manifestOf(buildDir, folder);
    if (packages.has(name)) return;
    const own = { name, folder, ...(!folders.includes(folder) && { beside: /** @type {const} */ (true) }) };
    // Reserves its place where packages depend on one another in a circle.
    packages.set(name, own);
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = byName.get(other);
      if (place !== undefined) add(place);
    }
    packages.delete(name);
    packages.set(name, own);
  };
  folders.forEach(add);
  const ranges = folders.map((folder) => {
    const { name, dependencies, optionalDependencies, peerDependencies } = manifestOf(buildDir, folder);
    return [name, { dependencies: { ...dependencies, ...optionalDependencies }, peerDependencies }];
  });
  return { library: { buildDir, packages: [...packages.values()] }, ranges: Object.fromEntries(ranges) };
}

/** @type {(buildDir: string, folder: string) => ReturnType<typeof readManifest>} */
function manifestOf(buildDir, folder) {
  return readManifest(join(treeOf(buildDir), folder), readIfThere);
}
