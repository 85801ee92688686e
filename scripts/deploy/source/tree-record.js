/**
 * What the tree of a build directory holds once it is made, so that every start finds the same files,
 * whatever earlier ones wrote: data that grows on one side, or files of the other, would decide a comparison.
 */

import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MADE } from '../runtimes.js';

/**
 * state: what changes with a file; copy: its content; copyState: of the copy. Packages have no copy: they are
 * too many, and servers write to the cache beside them at most. A record is by path in the tree, folders
 * before what they contain. changed: paths that differed; lost: those without a copy.
 * @typedef {{ state: string, copy?: string, copyState?: string }} Entry
 * @typedef {Map<string, Entry>} TreeRecord
 * @typedef {{ buildDir: string, changed: string[], lost: string[] }} Restored
 */

const [FOLDER, LINK, OTHER] = ['folder', 'link ', 'other'];
const PACKAGES = new RegExp(`(^|/)(${MADE.join('|')})/(?!\\.cache/)`);

/** The folder with the sources. @type {(buildDir: string) => string} */
export function treeOf(buildDir) {
  return join(buildDir, 'tree');
}

/**
 * In the build directories everything is installed and built, and nothing runs. keepSetUp: from now on trees
 * are restored as they are then; restore: called while nothing runs; end: leaves them as they were before the
 * setup, for the next run.
 * @type {(buildDirs: string[]) => { keepSetUp: () => void, restore: () => Restored[], end: () => void }}
 */
export function keepTrees(buildDirs) {
  const built = buildDirs.map((buildDir) => {
    const record = recordTree(buildDir, { kept: 'kept', earlier: readRecord(buildDir) });
    writeRecord(buildDir, record);
    return { buildDir, record };
  });
  let wanted = built;
  return {
    keepSetUp() {
      wanted = built.map(({ buildDir, record }) => ({
        buildDir,
        record: recordTree(buildDir, { kept: 'kept-set-up', earlier: record }),
      }));
    },
    restore: () => wanted.map(({ buildDir, record }) => ({ buildDir, ...restoreTree(buildDir, record) })),
    end() {
      for (const { buildDir, record } of built) {
        restoreTree(buildDir, record);
        writeRecord(buildDir, record);
      }
    },
  };
}

/**
 * Whether its tree is as the last run recorded it, or could be restored, or nothing ran there.
 * @type {(buildDir: string) => boolean}
 */
export function isRestored(buildDir) {
  const record = readRecord(buildDir);
  return record === undefined || restoreTree(buildDir, record).lost.length === 0;
}

/** What is made next is no longer what was recorded. @param {string} buildDir */
export function forgetRecord(buildDir) {
  rmSync(recordFileOf(buildDir), { force: true });
}

/**
 * kept: the folder for copies; earlier: whose copies are still good.
 * @type {(buildDir: string, options: { kept: string, earlier: TreeRecord | undefined }) => TreeRecord}
 */
function recordTree(buildDir, { kept, earlier }) {
  /** @type {TreeRecord} */
  const record = new Map();
  for (const [path, state] of statesIn(treeOf(buildDir))) {
    const known = earlier?.get(path);
    const isFile = ![FOLDER, OTHER].includes(state) && !state.startsWith(LINK);
    if (known?.state === state) record.set(path, known);
    else if (!isFile || PACKAGES.test(path)) record.set(path, { state });
    else {
      const copy = join(buildDir, kept, path);
      rmSync(copy, { recursive: true, force: true });
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(treeOf(buildDir), path), copy, constants.COPYFILE_FICLONE);
      record.set(path, { state, copy, copyState: stateOf(copy) });
    }
  }
  return record;
}

/** Updates the record. @type {(buildDir: string, record: TreeRecord) => Omit<Restored, 'buildDir'>} */
function restoreTree(buildDir, record) {
  const tree = treeOf(buildDir);
  const now = statesIn(tree);
  const added = [...now.keys()].filter((path) => !record.has(path));
  for (const path of added) rmSync(join(tree, path), { recursive: true, force: true });
  const differing = [...record].filter(([path, { state }]) => now.get(path) !== state);
  const lost = differing.filter(([path, entry]) => !bring(join(tree, path), entry));
  const pathsOf = (/** @type {[string, Entry][]} */ entries) => entries.map(([path]) => path);
  return { changed: [...added, ...pathsOf(differing)], lost: pathsOf(lost) };
}

/** Whether it is as it was. @type {(path: string, entry: Entry) => boolean} */
function bring(path, entry) {
  const { state, copy, copyState } = entry;
  const isFile = copy !== undefined && existsSync(copy) && stateOf(copy) === copyState;
  if (!isFile && state !== FOLDER && !state.startsWith(LINK)) return state === OTHER;
  rmSync(path, { recursive: true, force: true });
  if (state === FOLDER) mkdirSync(path);
  else if (!isFile) symlinkSync(state.slice(LINK.length), path);
  else {
    const [, mtimeMs] = state.split(' ');
    copyFileSync(copy, path, constants.COPYFILE_FICLONE);
    // Programs that compile compare it with that of their result.
    utimesSync(path, Number(mtimeMs) / 1000, Number(mtimeMs) / 1000);
    entry.state = stateOf(path);
  }
  return true;
}

/** The state of each path, folders before what they contain. @type {(top: string) => Map<string, string>} */
function statesIn(top) {
  /** @type {Map<string, string>} */
  const states = new Map();
  const visit = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      states.set(path, entry.isDirectory() ? FOLDER : stateOf(`${top}/${path}`));
      if (entry.isDirectory()) visit(path);
    }
  };
  visit('');
  return states;
}

/** Only for a path that is no folder. @type {(path: string) => string} */
function stateOf(path) {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `${LINK}${readlinkSync(path)}`;
  if (!stats.isFile()) return OTHER;
  const { mode, mtimeMs, ctimeMs, size, ino, nlink } = stats;
  // Package managers give a file further names, which changes its ctime.
  return [mode, mtimeMs, size, ino, ...(nlink === 1 ? [ctimeMs] : [])].join(' ');
}

const recordFileOf = (/** @type {string} */ buildDir) => join(buildDir, 'made.json');

/** @type {(buildDir: string, record: TreeRecord) => void} */
function writeRecord(buildDir, record) {
  const unfinished = join(buildDir, `${randomUUID()}.tmp`);
  writeFileSync(unfinished, JSON.stringify([...record]), { flag: 'wx' });
  renameSync(unfinished, recordFileOf(buildDir));
}

/** @type {(buildDir: string) => TreeRecord | undefined} */
function readRecord(buildDir) {
  const file = recordFileOf(buildDir);
  return existsSync(file) ? new Map(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
