/**
 * Lets one process at a time work where several runs share a folder. The lock is a symbolic link to "PID
 * START", which is created with that text in one step. A holder that died is recognized at once, and a run
 * says which process it waits for. Locks that age (`proper-lockfile`) allow neither, and wake up to be
 * renewed, also while something is measured.
 */

import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from './process/proc.js';

const LOCK_POLL_MS = 50;

/**
 * The file is the lock. The signal ends the wait; onWait is called once with the process that it waits for.
 * @type {<T>(file: string, work: () => Promise<T>,
 *   options?: { signal?: AbortSignal, onWait?: (pid: number) => unknown }) => Promise<T>}
 * @throws {Error} the signal's reason
 */
export async function alone(file, work, { signal, onWait } = {}) {
  mkdirSync(dirname(file), { recursive: true });
  let hasReported = false;
  for (let holder = take(file); holder !== undefined; holder = take(file)) {
    if (!hasReported) onWait?.(holder);
    hasReported = true;
    await sleep(LOCK_POLL_MS, undefined, signal && { signal });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * The process that holds the lock; undefined if this process holds it now.
 * @type {(file: string) => number | undefined}
 */
function take(file) {
  for (;;) {
    try {
      symlinkSync(nameOf(process.pid), file);
      return undefined;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const name = holderOf(file);
    if (name === undefined) continue;
    const pid = Number.parseInt(name, 10);
    const holder = lives(pid) && name === nameOf(pid) ? pid : removeStale(file, name);
    if (holder !== undefined) return holder;
  }
}

/**
 * A lock named after the dead holder decides which process removes the stale one. That process looks again,
 * since another one may have removed it and taken its place before. Returns the process that is removing it;
 * undefined if it is gone.
 * @type {(file: string, name: string) => number | undefined}
 */
function removeStale(file, name) {
  const removal = `${file}.${name.replace(' ', '-')}`;
  const remover = take(removal);
  if (remover !== undefined) return remover;
  try {
    if (holderOf(file) === name) rmSync(file);
    return undefined;
  } finally {
    rmSync(removal, { force: true });
  }
}

/** Undefined if nobody holds the lock any more. @type {(file: string) => string | undefined} */
function holderOf(file) {
  try {
    return readlinkSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Pids are reused; with its start time, a process is unique. @param {number} pid */
function nameOf(pid) {
  return `${pid} ${readProcess(pid)?.startTime ?? ''}`;
}

/** True for another user's process, too. @type {(pid: number) => boolean} */
export function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
