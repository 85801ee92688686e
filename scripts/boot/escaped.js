/** Ends what a server left behind outside its process group: daemons, which begin a session of their own. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './alive.js';

const GRACE_MS = 1000;
const POLL_MS = 20;

/**
 * They are known by the environment they were started with (proc_pid_environ(5)); nothing else has the same free port.
 * @param {Record<string, string>} environment variables and their values
 * @returns {Promise<number[]>} the processes that were found
 */
export async function endEscaped(environment) {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const search = () =>
    pids().filter((pid) => isRunning(pid) && lines.every((line) => linesOf(pid).includes(line)));
  const found = search();
  // A daemon that is just becoming another program shows no environment for a moment.
  await sleep(POLL_MS);
  found.push(...search().filter((pid) => !found.includes(pid)));
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    for (const pid of found) send(pid, signal);
    for (let waited = 0; waited < GRACE_MS && found.some(isRunning); waited += POLL_MS) await sleep(POLL_MS);
  }
  return found;
}

/** @returns {number[]} none where there is no /proc */
function pids() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * @param {number} pid
 * @returns {string[]} empty of what is dead, gone, or somebody else's
 */
function linesOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
