/** Workspaces of npm, pnpm and yarn: packages that are installed together, in a folder above them. */

import { dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import { jsonIn } from '../model/json.js';
import { upwards } from './folder.js';

/** The text of a file, if it exists. @typedef {(file: string) => string | undefined} Read */

/** The absolute folder's workspace. @type {(folder: string, read: Read) => string | undefined} */
export function workspaceOf(folder, read) {
  return upwards(dirname(folder)).find((above) => {
    const globs = globsIn(above, read).map((glob) => glob.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''));
    const ignore = globs.flatMap((glob) => (glob.startsWith('!') ? glob.slice(1) : []));
    const members = globs.filter((glob) => !glob.startsWith('!'));
    return picomatch.isMatch(relative(above, folder), members, { ignore });
  });
}

/** Its package.json; empty if it cannot be read. @type {(folder: string, read: Read) => any} */
export function readManifest(folder, read) {
  return jsonIn(read(join(folder, 'package.json')) ?? '') ?? {};
}

/** Globs of the members of the workspace there. @type {(folder: string, read: Read) => string[]} */
function globsIn(folder, read) {
  const { workspaces: npm } = readManifest(folder, read);
  const listed = [npm, npm?.packages, yamlIn(read(join(folder, 'pnpm-workspace.yaml')) ?? '')?.packages];
  return listed.filter(Array.isArray).flat().map(String);
}

/** Undefined where it cannot be read, which the package manager reports. @type {(text: string) => any} */
function yamlIn(text) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
