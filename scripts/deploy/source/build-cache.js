/**
 * Folders with the sources of a server, to install and build in instead of the user's own. Their sources never change, so a
 * build serves every run of the same sources.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { alone, lives } from '../../system/lock.js';

/** Per repository: a base, a few states of the head, and those of a second branch. */
const KEPT_STATES = 6;

/** @param {string} home @returns {string} the folder with the sources */
export function treeOf(home) {
  return join(home, 'tree');
}

/** @param {string} home @returns {string} the folder with a file for each finished step */
export function stampsOf(home) {
  return join(home, 'stamps');
}

/**
 * @param {string} home this build's folder. Its siblings are builds of other states; the newest, and those in use, are kept
 * @param {(tree: string) => Promise<void>} make
 * @returns {Promise<string>} the home, with its tree
 */
export async function openHome(home, make) {
  const cache = dirname(home);
  await alone(join(cache, 'cache.lock'), async () => {
    // The folder for stamps is created last, so an interrupted tree is made again.
    if (!existsSync(stampsOf(home))) {
      remove(home);
      try {
        mkdirSync(home, { recursive: true });
        await make(treeOf(home));
        mkdirSync(stampsOf(home));
      } catch (error) {
        remove(home);
        throw error;
      }
    }
    mkdirSync(usersOf(home), { recursive: true });
    writeFileSync(join(usersOf(home), String(process.pid)), '');
    utimesSync(home, new Date(), new Date());
    for (const old of listOld(cache)) remove(old);
  });
  return home;
}

/** @param {string} cache */
function listOld(cache) {
  return readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((path) => existsSync(stampsOf(path)))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .slice(KEPT_STATES)
    .filter((home) => !isUsed(home));
}

/** @param {string} home */
function isUsed(home) {
  return existsSync(usersOf(home)) && readdirSync(usersOf(home)).some((pid) => lives(Number(pid)));
}

/** @param {string} home */
function usersOf(home) {
  return join(home, 'users');
}

/** @param {string} home */
function remove(home) {
  rmSync(home, { recursive: true, force: true });
}
