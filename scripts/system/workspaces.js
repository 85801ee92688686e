/** Workspaces of npm, pnpm and yarn: packages that are installed together, in a folder above them. */

import { dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { parseDocument } from 'yaml';
import { jsonIn } from '../model/json.js';
import { upwards } from './folder.js';

/** The text of a file, if it exists. @typedef {(file: string) => string | undefined} Read */

/** @param {string} folder absolute @param {Read} read @returns {string | undefined} the folder of its workspace */
export function workspaceOf(folder, read) {
  return upwards(dirname(folder)).find((above) => {
    const globs = globsIn(above, read).map((glob) => glob.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''));
    const ignore = globs.flatMap((glob) => (glob.startsWith('!') ? glob.slice(1) : []));
    const members = globs.filter((glob) => !glob.startsWith('!'));
    return picomatch.isMatch(relative(above, folder), members, { ignore });
  });
}

/** @param {string} folder @param {Read} read @returns {any} its package.json; empty if it cannot be read */
export function readManifest(folder, read) {
  return jsonIn(read(join(folder, 'package.json')) ?? '') ?? {};
}

/** @param {string} folder @param {Read} read @returns {string[]} of the members of the workspace there */
function globsIn(folder, read) {
  const { workspaces: npm } = readManifest(folder, read);
  const document = parseDocument(read(join(folder, 'pnpm-workspace.yaml')) ?? '');
  // The package manager reports what cannot be read.
  const { packages } = (document.errors.length > 0 ? undefined : document.toJS()) ?? {};
  return [...(Array.isArray(npm) ? npm : (npm?.packages ?? [])), ...(packages ?? [])].map(String);
}
