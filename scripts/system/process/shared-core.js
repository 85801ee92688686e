/** Moves threads to one core, with taskset of util-linux; elsewhere they stay where they are. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { greatest, sum } from 'd3-array';
import { readProcess, runningInGroup } from './proc.js';

/** The first thread of a server does its work if its process used so many times as much CPU as the group's others together. */
const MOST_OF_IT = 2;

/**
 * The first threads of the servers use one core alternately. Other threads, such as a garbage collector's, may still use all cores. A
 * server that works in several processes keeps all of them, and so do those beside it.
 * @param {number[]} groups process groups of servers that have answered requests already
 */
export async function shareCore(groups) {
  const workers = groups.map(workerOf);
  if (workers.includes(undefined)) return;
  const core = await lastCore();
  if (core === undefined) return;
  for (const pid of workers) await taskset('--cpu-list', '--pid', core, String(pid));
}

/** @param {number} group @returns {number | undefined} the process that does the work; undefined where several do */
function workerOf(group) {
  const processes = runningInGroup(group).flatMap((pid) => readProcess(pid) ?? []);
  const busiest = greatest(processes, ({ ownTicks }) => ownTicks);
  const others = sum(processes, ({ ownTicks }) => ownTicks) - (busiest?.ownTicks ?? 0);
  return busiest && busiest.ownTicks > MOST_OF_IT * others ? busiest.pid : undefined;
}

/** @returns {Promise<string | undefined>} the last one that this process may use; interrupts prefer the first */
async function lastCore() {
  const allowed = await taskset('--cpu-list', '--pid', String(process.pid));
  return /(\d+)\s*$/.exec(allowed ?? '')?.[1];
}

/** @param {string[]} args @returns {Promise<string | undefined>} what it printed; undefined where it is not installed, or the process has ended */
async function taskset(...args) {
  return promisify(execFile)('taskset', args).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}
