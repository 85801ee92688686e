/**
 * Packages of a repository in place of the installed ones: each is built, packed, and gets its dependencies
 * inside, once for all servers of a side.
 * @import { Library, Server } from '../../types.js'
 * @import { Packages } from '../runtimes.js'
 * @import { RunStep } from './prepare.js'
 */

import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MeasureError } from '../../model/errors.js';
import { readIfThere } from '../../system/bounded-file.js';
import { tryGit } from '../../system/git.js';
import { alone } from '../../system/lock.js';
import { readManifest, workspaceOf } from '../../system/workspaces.js';
import { PACKAGES } from '../runtimes.js';
import { stampsOf } from '../source/build-cache.js';
import { treeOf } from '../source/tree-record.js';
import { shortHash } from '../source/worktrees.js';
import { replaceCopies } from './library-copies.js';
import { installIn, installSteps } from '../source/with-install.js';

/** They run when the package is packed, and may need what is installed for development. */
const WHEN_PACKED = ['prepack', 'prepare', 'postpack'];
/** They run when the package is a dependency. */
const WHEN_INSTALLED = ['preinstall', 'install', 'postinstall'];

/** Peers are the server's. */
const INSTALL = 'npm install --omit=dev --legacy-peer-deps --package-lock --no-audit --no-fund'.split(' ');
const LOCK = 'package-lock.json';
/** Beside the package's folder. */
const KEPT_LOCK = '.lock.json';
const MANIFEST = 'package.json';

/**
 * npm runs `prepare` of a package that a server, not yet installed, links to; it may need what is not
 * installed there. The link becomes a copy anyway.
 * @param {Server} server
 */
export function forgetPrepare({ buildDir = '', library }) {
  for (const { name, folder = '' } of library?.packages ?? []) {
    const place = join(treeOf(buildDir), folder);
    const manifest = readManifest(place, readIfThere);
    if (manifest.name !== name || !manifest.scripts?.prepare) continue;
    delete manifest.scripts.prepare;
    writeFileSync(join(place, MANIFEST), JSON.stringify(manifest, null, 2));
  }
}

/**
 * Installs it in an installed server's build folder.
 * @param {Server & { library: Library }} server
 * @param {{ run: RunStep, signal: AbortSignal }} context
 * @throws {MeasureError} build-failed; install-failed, also where the server has none of the packages
 */
export async function installLibrary({ folder, buildDir = '', version = '', library }, { run, signal }) {
  const made = await makeLibrary(library, { version, run, signal });
  const wanted = new Map(
    library.packages.flatMap(({ name, beside }) => (beside ? [] : [[name, join(made, name)]])),
  );
  if (replaceCopies(wanted, { folder, tree: treeOf(buildDir) }) > 0) return;
  const names = [...wanted.keys()].join(' and ');
  throw new MeasureError(
    'install-failed',
    `${names} is not installed in the server's node_modules; name it in the server's package.json, and import it by its name`,
  );
}

/**
 * Makes a folder with each package in a folder of its name, its dependencies inside, a lock file beside.
 * @param {Library} library
 * @param {{ version: string, run: RunStep, signal: AbortSignal }} context version: of Node
 * @returns {Promise<string>}
 */
async function makeLibrary(library, context) {
  const { version, run, signal } = context;
  const { buildDir, packages, like } = library;
  // Where the other side cannot be made, its versions cannot be kept.
  const other = like && (await makeLibrary(like, context).catch(unlessCancelled));
  const make = async () => {
    /** @type {(key: unknown[], fill: (folder: string) => Promise<void>) => Promise<string>} */
    const once = async (key, fill) => {
      const name = `library-${shortHash(JSON.stringify(key))}`;
      const folder = join(buildDir, name);
      const stamp = join(stampsOf(buildDir), name);
      if (existsSync(stamp)) return folder;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      await fill(folder);
      writeFileSync(stamp, '');
      return folder;
    };
    const packed = await once([version, packages], (folder) => packAll(library, folder, run));
    const tarballs = Object.fromEntries(
      packages.map(({ name, tarball }) => [name, `file:${tarball ?? tarballIn(join(packed, name))}`]),
    );
    return once([version, packages, other], async (folder) => {
      for (const { name, beside } of packages) {
        if (beside) continue;
        const lock = other && readIfThere(join(other, `${name}${KEPT_LOCK}`));
        await unpack(name, tarballs, { folder, lock, settings: join(treeOf(buildDir), '.npmrc'), run });
      }
    });
  };
  return alone(join(buildDir, 'library.lock'), make, { signal });
}

/**
 * The target gets a folder with the tarball for each package.
 * @type {(library: Library, target: string, run: RunStep) => Promise<void>}
 */
async function packAll({ buildDir, packages }, target, run) {
  const tree = treeOf(buildDir);
  const installed = new Set();
  for (const { name, folder } of packages) {
    if (folder === undefined) continue;
    const cwd = join(tree, folder);
    const { install, pack, build } = await recipeOf(cwd);
    for (const step of install) {
      const key = JSON.stringify(step);
      if (!installed.has(key)) await run({ kind: 'install-failed', ...step });
      installed.add(key);
    }
    if (build) await run({ kind: 'build-failed', ...build });
    const into = join(target, name);
    mkdirSync(into, { recursive: true });
    const command = pack.split(' ').map((word) => word.replace('{}', into));
    await run({ kind: 'build-failed', command, cwd });
  }
}

/**
 * A package whose entries are not in git is built: by its own script `build`, else by that of its workspace.
 * @param {string} folder of the package
 * @returns the commands of its package manager; install: none where nothing runs that may need it
 */
async function recipeOf(folder) {
  const manager = installIn(folder);
  const { scripts = {}, ...manifest } = readManifest(folder, readIfThere);
  const builders = [folder, workspaceOf(folder, readIfThere) ?? folder];
  const builder = (await isInGit(folder, entriesOf(manifest)))
    ? undefined
    : builders.find((place) => readManifest(place, readIfThere).scripts?.build !== undefined);
  const isMade = builder !== undefined || WHEN_PACKED.some((script) => script in scripts);
  const { run, pack } =
    manager ?? /** @type {Packages} */ (PACKAGES.find(({ manifest: file }) => file === MANIFEST)).unlocked;
  return {
    install: manager && isMade ? installSteps(manager.command, folder) : [],
    build: builder === undefined ? undefined : { command: `${run} build`, cwd: builder },
    pack,
  };
}

/** The files that its importers load, without patterns. @type {(manifest: any) => string[]} */
function entriesOf({ main, module, exports }) {
  /** @type {(value: unknown) => string[]} */
  const leaves = (value) =>
    value instanceof Object ? Object.values(value).flatMap(leaves) : typeof value === 'string' ? [value] : [];
  return leaves([main, module, exports]).filter((file) => !file.includes('*'));
}

/**
 * An interrupted build leaves some of the files, entries as Node finds them.
 * @type {(folder: string, entries: string[]) => Promise<boolean>}
 */
async function isInGit(folder, entries) {
  const tracked = (await tryGit(folder, 'ls-files', '-z', '--', '.'))?.split('\0');
  const isThere = (/** @type {string} */ file) => tracked?.includes(file) ?? existsSync(join(folder, file));
  return entries.every((entry) => ['', '.js', '/index.js'].some((rest) => isThere(join(entry, '.') + rest)));
}

/**
 * Installs the dependencies as if the package were a project by itself, so that its own always lie inside.
 * @param {string} name
 * @param {Record<string, string>} tarballs `file:` and the path, by name, of all the packages
 * @param {{ folder: string, lock: string | undefined, settings: string, run: RunStep }} context folder: gets
 *   the package in a folder of its name; lock: of the other side; settings: npm's
 */
async function unpack(name, tarballs, { folder, lock, settings, run }) {
  const { [name]: own = '', ...others } = tarballs;
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const line = ['tar', '-xzf', own.replace('file:', ''), '--strip-components=1', '--no-same-owner'];
  await run({ kind: 'install-failed', command: line, cwd });
  const file = join(cwd, MANIFEST);
  const text = readIfThere(file) ?? '';
  const manifest = readManifest(cwd, readIfThere);
  const { version, scripts = {} } = manifest;
  const project = {
    ...{ name, version, private: true },
    scripts: Object.fromEntries(WHEN_INSTALLED.map((script) => [script, scripts[script]])),
    dependencies: withOthers(manifest.dependencies, others),
    optionalDependencies: withOthers(manifest.optionalDependencies, others),
    overrides: others,
  };
  writeFileSync(file, JSON.stringify(project));
  if (lock !== undefined) writeFileSync(join(cwd, LOCK), withoutPackages(lock, Object.keys(others)));
  if (existsSync(settings)) cpSync(settings, join(cwd, '.npmrc'));
  await run({ kind: 'install-failed', command: INSTALL, cwd });
  if (existsSync(join(cwd, LOCK))) renameSync(join(cwd, LOCK), `${cwd}${KEPT_LOCK}`);
  rmSync(join(cwd, '.npmrc'), { force: true });
  writeFileSync(file, text);
}

/** @type {(dependencies: Record<string, string> | undefined, others: Record<string, string>) => object} */
function withOthers(dependencies, others) {
  return Object.fromEntries(
    Object.entries(dependencies ?? {}).map(([name, range]) => [name, others[name] ?? range]),
  );
}

/** Tarballs of the other side differ. @type {(lock: string, names: string[]) => string} */
function withoutPackages(lock, names) {
  const { packages, ...rest } = JSON.parse(lock);
  const kept = Object.entries(packages).filter(
    ([place]) => !names.some((name) => place.endsWith(`node_modules/${name}`)),
  );
  return JSON.stringify({ ...rest, packages: Object.fromEntries(kept) });
}

/** @param {string} folder */
function tarballIn(folder) {
  return join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '');
}

/** @param {unknown} error */
function unlessCancelled(error) {
  if (error instanceof MeasureError && error.kind !== 'cancelled') return undefined;
  throw error;
}
