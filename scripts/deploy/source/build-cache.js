/**
 * Folders with the sources of a server, to install and build in instead of the user's own. Their sources
 * never change, so a build serves every run of the same sources.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { alone, lives } from '../../system/lock.js';
import { isRestored, treeOf } from './tree-record.js';

/** Per repository: a base, a few states of the head, and those of a second branch. */
const KEPT_STATES = 6;

/** The folder with a file for each finished step. @type {(buildDir: string) => string} */
export function stampsOf(buildDir) {
  return join(buildDir, 'stamps');
}

/**
 * A build's folder, with its tree. Its siblings are builds of other states; the newest and used ones stay.
 * @type {(buildDir: string, make: (tree: string) => Promise<void>) => Promise<string>}
 */
export async function openBuildDir(buildDir, make) {
  const cache = dirname(buildDir);
  await alone(join(cache, 'cache.lock'), async () => {
    const users = usersOf(buildDir);
    // The folder for stamps is created last, so an interrupted tree is made again, as is one in which a
    // killed run changed packages.
    if (!existsSync(stampsOf(buildDir)) || !(isUsed(buildDir) || isRestored(buildDir))) {
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
    mkdirSync(users, { recursive: true });
    writeFileSync(join(users, String(process.pid)), '');
    utimesSync(buildDir, new Date(), new Date());
    const builds = readdirSync(cache)
      .map((name) => join(cache, name))
      .filter((path) => existsSync(stampsOf(path)))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    for (const old of builds.slice(KEPT_STATES)) if (!isUsed(old)) remove(old);
  });
  return buildDir;
}

/** @param {string} buildDir */
function isUsed(buildDir) {
  const users = usersOf(buildDir);
  return existsSync(users) && readdirSync(users).some((pid) => lives(Number(pid)));
}

const usersOf = (/** @type {string} */ buildDir) => join(buildDir, 'users');

const remove = (/** @type {string} */ buildDir) => rmSync(buildDir, { recursive: true, force: true });
