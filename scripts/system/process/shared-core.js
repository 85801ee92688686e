/**
 * Moves threads to one core, with taskset of util-linux; elsewhere they stay where they are.
 * @import { Process } from './proc.js'
 */

import { readFileSync } from 'node:fs';
import { greatest, sum } from 'd3-array';
import { readProcesses } from './proc.js';
import { ask } from './find-program.js';

/** A server's first thread does its work if its process used so many times the CPU of its others together. */
const MOST_OF_IT = 2;

/**
 * Lets the first threads of servers that have answered already use one core alternately. Other threads, such
 * as a garbage collector's, may use all cores. A server that works in several processes keeps all of them,
 * and so do those beside it. Returns whether they share it.
 * @type {(groups: number[]) => Promise<boolean>}
 */
export async function shareCore(groups) {
  const all = [...readProcesses().values()];
  const workers = groups.map((group) => workerAmong(all.filter(({ pgrp }) => pgrp === group)));
  if (workers.includes(undefined)) return false;
  const core = lastCore();
  // Without taskset a thread stays where it is, and it may have ended.
  const env = { PATH: process.env.PATH };
  const moves = workers.map((pid) => ask('taskset', ['--cpu-list', '--pid', core, String(pid)], { env }));
  return (await Promise.all(moves)).every(({ error }) => error === null);
}

/**
 * Processes that a server starts would inherit its core, so those that have ended count, too. Returns the
 * process that does the work; undefined where several do.
 * @type {(server: Process[]) => number | undefined}
 */
function workerAmong(server) {
  const busiest = greatest(server, ({ ownTicks }) => ownTicks);
  if (!busiest) return undefined;
  const { pid, ownTicks, childTicks } = busiest;
  const others = sum(server, (process) => process.ownTicks) - ownTicks + childTicks;
  return ownTicks > MOST_OF_IT * others ? pid : undefined;
}

/** @returns {string} the last one that this process may use; interrupts prefer the first */
export function lastCore() {
  const status = readFileSync('/proc/self/status', 'utf8');
  return /^Cpus_allowed_list:.*?(\d+)$/m.exec(status)?.[1] ?? '0';
}
