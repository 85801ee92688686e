/**
 * Folders of ours that hold the sources of a server, to install and build in: never the user's own. Their content never
 * changes, so what was made in one serves every run of the same sources.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { alone, lives } from '../../system/lock.js';

/** Kept of one repository: a base, a few states of the head, and those of a second branch. */
const KEPT_STATES = 6;

/**
 * @param {string} home
 * @returns {string} the folder with the sources
 */
export function treeOf(home) {
  return join(home, 'tree');
}

/**
 * @param {string} home
 * @returns {string} the folder that notes what was made in the tree
 */
export function stampsOf(home) {
  return join(home, 'stamps');
}

/**
 * @param {string} home beside it lie the other states of the same sources, of which the latest are kept, and those that
 *   a run uses
 * @param {{ make: (tree: string) => Promise<void>, remove?: (home: string) => Promise<void> }} how
 * @returns {Promise<string>} the home, with its tree
 */
export async function openHome(home, { make, remove = removeFolder }) {
  const cache = dirname(home);
  await alone(join(cache, 'cache.lock'), async () => {
    // The folder for stamps is made last, so one that was interrupted is made again.
    if (!existsSync(stampsOf(home))) {
      await remove(home);
      try {
        mkdirSync(home, { recursive: true });
        await make(treeOf(home));
        mkdirSync(stampsOf(home));
      } catch (error) {
        await remove(home);
        throw error;
      }
    }
    mkdirSync(usersOf(home), { recursive: true });
    writeFileSync(join(usersOf(home), String(process.pid)), '');
    utimesSync(home, new Date(), new Date());
    for (const old of listOld(cache)) await remove(old);
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
async function removeFolder(home) {
  rmSync(home, { recursive: true, force: true });
}
