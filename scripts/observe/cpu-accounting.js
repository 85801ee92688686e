/**
 * One reading of all processes at each end of a window, which the observers share.
 * @import { Machine, Process, Processes } from '../system/process/proc.js'
 */

import { readMachine, readProcess, readProcesses, readThreads } from '../system/process/proc.js';
import { membersOf, ticksBetween } from './process-tree.js';

/**
 * Process groups that neither are the server nor count as foreign.
 * @typedef {object} Ours
 * @property {() => number[]} [clients] load tools that keep running, asked at both ends
 * @property {number[]} [front] the proxy before the server
 * @property {number[]} [services] the services that it uses
 * @property {number[]} [waiting] other servers, which wait for their turn
 * @property {number[]} [idle] the proxies before those
 *
 * @typedef {Record<'server' | 'clients' | 'front' | 'services' | 'idle', Processes> & { waiting: Processes[] }} Members
 * @typedef {Members & { atMs: number, machine: Machine, self: Process, all: Processes }} Look
 *
 * @typedef {object} Span
 * @property {Look} start
 * @property {Look} end
 * @property {Record<'server' | 'client' | 'own' | 'front' | 'services' | 'idle', number> & { waiting: number[] }} use ticks; own: of
 *   this process
 */

/**
 * @param {number} pgid the server's process group
 * @param {Ours} ours
 * @param {Look} [earlier]
 * @returns {Look}
 */
export function look(pgid, { clients, front = [], services = [], idle = [], waiting = [] }, earlier) {
  const all = readProcesses();
  /** @type {Members} */
  const members = {
    server: membersOf(all, [pgid], earlier?.server),
    clients: membersOf(all, clients?.() ?? [], earlier?.clients),
    front: membersOf(all, front, earlier?.front),
    services: membersOf(all, services, earlier?.services),
    idle: membersOf(all, idle, earlier?.idle),
    waiting: waiting.map((group, place) => membersOf(all, [group], earlier?.waiting[place])),
  };
  for (const process of [members.server, members.clients, members.front].flatMap((some) => [
    ...some.values(),
  ]))
    process.threads = readThreads(process.pid);
  const self = /** @type {Process} */ (readProcess('self'));
  return { atMs: performance.now(), machine: readMachine(), self, all, ...members };
}

/**
 * The client's time is that of our reaped children, exact where a look at a running tool would miss its last moments, and that of
 * the tools that keep running.
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
