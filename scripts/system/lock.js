/** One process at a time, where runs share a folder. */

import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStart } from './bounded-file.js';
import { readProcess } from './process/proc.js';

const LOCK_POLL_MS = 50;
/** Two numbers. */
const LONGEST_BYTES = 100;

/**
 * @template T
 * @param {string} file says which process is at it
 * @param {() => Promise<T>} work
 * @param {{ signal?: AbortSignal, onWait?: ((pid: number) => unknown) | undefined }} [options] signal: ends the wait; onWait: is told once
 *   whom it waits for
 * @returns {Promise<T>}
 * @throws {Error} the signal's reason
 */
export async function alone(file, work, { signal, onWait } = {}) {
  mkdirSync(dirname(file), { recursive: true });
  let isTold = false;
  while (!take(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && !isTold) onWait?.(holder);
    isTold ||= holder !== undefined;
    await sleep(LOCK_POLL_MS, undefined, signal && { signal });
  }
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
    writeFileSync(file, nameOf(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    if (!isHeld(file)) removeStale(file);
    return false;
  }
}

/**
 * Of several who find it stale one moves it away; whoever moves a new one away, that another has made since, puts it back.
 * @param {string} file
 */
function removeStale(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (isHeld(aside)) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    // Who has just made it has perhaps not written yet.
    const text = readStart(file, LONGEST_BYTES).toString();
    return text === '' || (lives(Number.parseInt(text, 10)) && text === nameOf(Number.parseInt(text, 10)));
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @returns {number | undefined} undefined where nobody holds it any more
 */
function holderOf(file) {
  try {
    return Number.parseInt(readStart(file, LONGEST_BYTES).toString(), 10) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Pids are reused; with the instant of its start, where the system tells it, one is unique.
 * @param {number} pid
 */
function nameOf(pid) {
  return `${pid} ${readProcess(pid)?.startTime ?? ''}`;
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
