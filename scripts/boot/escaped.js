/** Ends what a server left behind outside its process group: daemons, which begin a session of their own. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, listPids } from '../proc.js';
import { endWith } from '../process-group.js';

/** Nobody waits for what should not be there as long as for a server. */
const DAEMON_GRACE_MS = 1000;
const EXEC_MS = 20;

/**
 * They are known by the environment they were started with (proc_pid_environ(5)); nothing else has the same free port.
 * @param {Record<string, string>} environment variables and their values
 * @returns {Promise<number[]>} the processes that were found
 */
export async function endEscaped(environment) {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const search = () =>
    listPids().filter((pid) => isRunning(pid) && lines.every((line) => linesOf(pid).includes(line)));
  const found = search();
  // A daemon that is just becoming another program shows no environment for a moment.
  await sleep(EXEC_MS);
  found.push(...search().filter((pid) => !found.includes(pid)));
  await Promise.all(
    found.map((pid) =>
      endWith(['SIGTERM', 'SIGKILL'], {
        isAlive: () => isRunning(pid),
        send: (signal) => process.kill(pid, signal),
        graceMs: DAEMON_GRACE_MS,
      }),
    ),
  );
  return found;
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
