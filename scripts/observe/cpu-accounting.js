/**
 * One reading of all processes at each end of a window, which the observers share.
 * @import { Machine, Process, Processes } from '../system/process/proc.js'
 */

import { readMachine, readProcess, readProcesses, readThreads } from '../system/process/proc.js';
import { membersOf, ticksBetween } from './process-tree.js';

/**
 * Process groups that are no part of the server, but no disturbance either: of load tools that live on, asked for at both
 * ends; of what stands before it; of the services it uses; and of other servers that are alive and wait, idle being what stands before
 * those.
 * @typedef {{ clients?: () => number[], front?: number[], services?: number[], idle?: number[], waiting?: number[] }} Ours
 * @typedef {{ atMs: number, machine: Machine, self: Process, all: Processes, server: Processes, clients: Processes,
 *   front: Processes, services: Processes, idle: Processes, waiting: Processes[] }} Look
 * In ticks. own: of this very process.
 * @typedef {{ server: number, client: number, own: number, front: number, services: number, idle: number, waiting: number[] }} Use
 * @typedef {{ start: Look, end: Look, use: Use }} Span
 */

/**
 * @param {number} pgid the server's process group
 * @param {Ours} ours
 * @param {Look} [earlier]
 * @returns {Look}
 */
export function look(
  pgid,
  { clients = () => [], front = [], services = [], idle = [], waiting = [] },
  earlier,
) {
  const all = readProcesses();
  const membersOfAll = (/** @type {number[]} */ groups, /** @type {Processes | undefined} */ before) =>
    new Map(groups.flatMap((group) => [...membersOf(all, group, before)]));
  const found = {
    server: membersOf(all, pgid, earlier?.server),
    clients: membersOfAll(clients(), earlier?.clients),
    front: membersOfAll(front, earlier?.front),
    services: membersOfAll(services, earlier?.services),
    idle: membersOfAll(idle, earlier?.idle),
    waiting: waiting.map((group, place) => membersOf(all, group, earlier?.waiting[place])),
  };
  for (const process of [found.server, found.clients, found.front].flatMap((each) => [...each.values()])) {
    const threads = readThreads(process.pid);
    if (threads) process.threads = threads;
  }
  const self = /** @type {Process} */ (readProcess('self'));
  return { atMs: performance.now(), machine: readMachine(), self, all, ...found };
}

/**
 * The client is what our reaped children used, exact where a look at a running tool would miss its last moments, and what
 * those use that live on.
 * @param {Look} start
 * @param {Look} end
 * @returns {Span}
 */
export function spanOf(start, end) {
  const used = (/** @type {Processes} */ members) => ticksBetween(start.all, end.all, members);
  return {
    start,
    end,
    use: {
      server: used(end.server),
      client: end.self.childTicks - start.self.childTicks + used(end.clients),
      own: end.self.ownTicks - start.self.ownTicks,
      front: used(end.front),
      services: used(end.services),
      idle: used(end.idle),
      waiting: end.waiting.map(used),
    },
  };
}

/** @param {number[]} numbers @returns {number} */
export function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
