/**
 * Workspaces of npm, pnpm and yarn: packages that are installed together, in a folder above them.
 * @import { Command } from '../../types.js'
 */

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import { readBounded } from '../../system/bounded-file.js';

/** Installs everything that is locked; with the name of a package, it would install only that. */
const INSTALLS_ALL =
  /^\s*((?:npm\s+(?:ci|clean-install|install|i)|pnpm\s+(?:install|i)|yarn(?:\s+install)?)(?:\s+-[\w=-]*)*)\s*(?:&&(.*))?$/s;

/**
 * In a member's folder, npm would remove the other members' packages.
 * @param {Command} command @param {string} folder the server's @returns {{ command: Command, cwd: string }[]}
 */
export function installSteps(command, folder) {
  const [, all, rest] = INSTALLS_ALL.exec([command].flat().join(' ')) ?? [];
  const top = all && workspaceOf(folder);
  if (!top) return [{ command, cwd: folder }];
  return [{ command: all, cwd: top }, ...(rest ? [{ command: rest.trim(), cwd: folder }] : [])];
}

/** @param {string} folder @param {string} [above] @returns {string | undefined} the folder of its workspace */
export function workspaceOf(folder, above = dirname(folder)) {
  const inside = relative(above, folder);
  if (inside === '') return undefined;
  const globs = membersOf(above).map((glob) => glob.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''));
  const matches = (/** @type {string} */ glob) => picomatch.isMatch(inside, glob);
  const isMember = globs.some((glob) => !glob.startsWith('!') && matches(glob));
  const isExcluded = globs.some((glob) => glob.startsWith('!') && matches(glob.slice(1)));
  if (isMember && !isExcluded) return above;
  return dirname(above) === above ? undefined : workspaceOf(folder, dirname(above));
}

/** @param {string} folder @returns {string[]} globs */
function membersOf(folder) {
  const npm = readData(join(folder, 'package.json'))?.workspaces ?? [];
  const pnpm = readData(join(folder, 'pnpm-workspace.yaml'))?.packages ?? [];
  return [...(Array.isArray(npm) ? npm : (npm.packages ?? [])), ...pnpm].map(String);
}

/** @param {string} file JSON or YAML @returns {any} undefined if it cannot be read, which the package manager will report */
export function readData(file) {
  try {
    return existsSync(file) ? parse(readBounded(file).toString()) : undefined;
  } catch {
    return undefined;
  }
}
