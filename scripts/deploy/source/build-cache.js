/**
 * Folders with the sources of a server, to install and build in instead of the user's own. Their sources never change, so a
 * build serves every run of the same sources.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { alone, lives } from '../../system/lock.js';

/** Per repository: a base, a few states of the head, and those of a second branch. */
const KEPT_STATES = 6;

/** @param {string} buildDir @returns {string} the folder with the sources */
export function treeOf(buildDir) {
  return join(buildDir, 'tree');
}

/** @param {string} buildDir @returns {string} the folder with a file for each finished step */
export function stampsOf(buildDir) {
  return join(buildDir, 'stamps');
}

/**
 * @param {string} buildDir this build's folder. Its siblings are builds of other states; the newest, and those in use, are kept
 * @param {(tree: string) => Promise<void>} make
 * @returns {Promise<string>} `buildDir`, with its tree
 */
export async function openBuildDir(buildDir, make) {
  const cache = dirname(buildDir);
  await alone(join(cache, 'cache.lock'), async () => {
    // The folder for stamps is created last, so an interrupted tree is made again.
    if (!existsSync(stampsOf(buildDir))) {
      remove(buildDir);
      try {
        mkdirSync(buildDir, { recursive: true });
        await make(treeOf(buildDir));
        mkdirSync(stampsOf(buildDir));
      } catch (error) {
        remove(buildDir);
        throw error;
      }
    }
    mkdirSync(usersOf(buildDir), { recursive: true });
    writeFileSync(join(usersOf(buildDir), String(process.pid)), '');
    utimesSync(buildDir, new Date(), new Date());
    for (const old of listOld(cache)) remove(old);
  });
  return buildDir;
}

/** @param {string} cache */
function listOld(cache) {
  return readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((path) => existsSync(stampsOf(path)))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .slice(KEPT_STATES)
    .filter((buildDir) => !isUsed(buildDir));
}

/** @param {string} buildDir */
function isUsed(buildDir) {
  return existsSync(usersOf(buildDir)) && readdirSync(usersOf(buildDir)).some((pid) => lives(Number(pid)));
}

/** @param {string} buildDir */
function usersOf(buildDir) {
  return join(buildDir, 'users');
}

/** @param {string} buildDir */
function remove(buildDir) {
  rmSync(buildDir, { recursive: true, force: true });
}
