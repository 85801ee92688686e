/** One process at a time, where runs share a folder. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOCK_POLL_MS = 50;

/**
 * @template T
 * @param {string} file says which process is at it
 * @param {() => Promise<T>} work
 * @param {AbortSignal} [signal] ends the wait
 * @returns {Promise<T>}
 * @throws {Error} the signal's reason
 */
export async function alone(file, work, signal) {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) await sleep(LOCK_POLL_MS, undefined, signal && { signal });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    // Who has just made it has perhaps not written yet.
    const text = readFileSync(file, 'utf8');
    return text === '' || lives(Number(text));
  } catch {
    return false;
  }
}

/**
 * @param {number} pid
 * @returns {boolean} also of somebody else's process
 */
export function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
