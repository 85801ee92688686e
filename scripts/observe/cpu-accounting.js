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
 * @property {number[]} [proxy] the proxy before the server
 * @property {number[]} [services] the services that it uses
 * @property {number[]} [waitingServers] one group each; they wait for their turn, and should use no CPU
 * @property {number[]} [idle] the proxies before those, and the servers of the same turn with theirs
 *
 * @typedef {Record<'server' | 'clients' | 'proxy' | 'services' | 'idle', Processes> &
 *   { waitingServers: Processes[] }} Members
 * @typedef {Members & { atMs: number, machine: Machine, self: Process, all: Processes }} Look
 *
 * @typedef {object} Span
 * @property {Look} start
 * @property {Look} end
 * @property {Record<'server' | 'client' | 'own' | 'proxy' | 'services' | 'idle', number> &
 *   { waitingServers: number[] }} use ticks; own: of this process
 */

/**
 * @param {number} pgid the server's process group
 * @param {Ours} ours
 * @param {Look} [earlier]
 * @returns {Look}
 */
export function look(pgid, { clients, proxy = [], services = [], idle = [], waitingServers = [] }, earlier) {
  const all = readProcesses();
  /** @type {Members} */
  const members = {
    server: membersOf(all, [pgid], earlier?.server),
    clients: membersOf(all, clients?.() ?? [], earlier?.clients),
    proxy: membersOf(all, proxy, earlier?.proxy),
    services: membersOf(all, services, earlier?.services),
    idle: membersOf(all, idle, earlier?.idle),
    waitingServers: waitingServers.map((group, index) =>
      membersOf(all, [group], earlier?.waitingServers[index]),
    ),
  };
  for (const precise of [members.server, members.clients, members.proxy])
    for (const process of precise.values()) process.threads = readThreads(process.pid);
  const self = /** @type {Process} */ (readProcess('self'));
  return { atMs: performance.now(), machine: readMachine(), self, all, ...members };
}

/**
 * The client's time is that of our reaped children, exact where a look at a running tool would miss its last
 * moments, and that of the tools that keep running.
 * @type {(start: Look, end: Look) => Span}
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
      proxy: used(end.proxy),
      services: used(end.services),
      idle: used(end.idle),
      waitingServers: end.waitingServers.map(used),
    },
  };
}
