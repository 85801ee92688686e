/**
 * What a server and its load tool took of the machine during a window, from Linux's /proc. Elsewhere nothing is told.
 * @import { Cpu, Window } from '../types.js'
 * @import { Machine, Process, Processes } from '../proc.js'
 */

import { DISTURBED } from '../disturbance.js';
import {
  readMachine,
  readProcess,
  readProcesses,
  readResidentBytes,
  readThreads,
  TICKS_PER_SECOND,
} from '../proc.js';
import { busiest, membersOf, ticksBetween } from './group.js';

/** Often enough to see a garbage collector's sawtooth, rarely enough to cost about a thousandth of a core. */
const SAMPLE_MS = 200;
/** Of the others, so many are named. */
const NAMES = 3;

/**
 * @typedef {Pick<Window, 'cpu' | 'others' | 'rssBytes' | 'rssSamples'>} Observed
 * @typedef {{ clients?: () => number[], services?: number[], waiting?: number[] }} Ours
 * @typedef {{ atMs: number, machine: Machine, self: Process, all: Processes, server: Processes, clients: Processes,
 *   services: Processes, waiting: Processes[] }} Look
 */

/**
 * The window lasts until `stop`, which may be called again and then tells the same. A load tool that is no longer there at
 * its end must be the only child of this process that ended in it.
 * @param {number} pgid the server's process group
 * @param {Ours} [ours] process groups that are no part of the server, but no disturbance either: of load tools that live on,
 *   asked for at both ends; of the services it uses; and of other servers that are alive and wait
 * @returns {{ stop: () => Observed & { waiting?: number[] } }} waiting: what each of those servers used, as a share of a core
 */
export function startWindow(pgid, ours = {}) {
  if (process.platform !== 'linux') return { stop: () => ({}) };
  const memory = sampleMemory(pgid);
  const start = look(pgid, ours);
  /** @type {Observed & { waiting?: number[] } | undefined} */
  let observed;
  return {
    stop() {
      observed ??= { ...between(start, look(pgid, ours, start)), ...memory.stop() };
      return observed;
    },
  };
}

/**
 * @param {number} pgid
 * @param {Ours} ours
 * @param {Look} [earlier]
 * @returns {Look}
 */
function look(pgid, { clients = () => [], services = [], waiting = [] }, earlier) {
  const all = readProcesses();
  const membersOfAll = (/** @type {number[]} */ groups, /** @type {Processes | undefined} */ before) =>
    new Map(groups.flatMap((group) => [...membersOf(all, group, before)]));
  const found = {
    server: membersOf(all, pgid, earlier?.server),
    clients: membersOfAll(clients(), earlier?.clients),
    services: membersOfAll(services, earlier?.services),
    waiting: waiting.map((group, place) => membersOf(all, group, earlier?.waiting[place])),
  };
  for (const process of [...found.server.values(), ...found.clients.values()]) {
    const threads = readThreads(process.pid);
    if (threads) process.threads = threads;
  }
  return {
    atMs: performance.now(),
    machine: readMachine(),
    self: /** @type {Process} */ (readProcess('self')),
    all,
    ...found,
  };
}

/**
 * The client is what our reaped children used, exact where a look at a running tool would miss its last moments, and what
 * those use that live on.
 * @param {Look} start
 * @param {Look} end
 * @returns {{ cpu?: Cpu, others?: string[], waiting?: number[] }} nothing where no process of the server is left to ask
 */
function between(start, end) {
  if (end.server.size === 0) return {};
  const server = ticksBetween(start.all, end.all, end.server);
  const client = end.self.childTicks - start.self.childTicks + ticksBetween(start.all, end.all, end.clients);
  const own = end.self.ownTicks - start.self.ownTicks;
  const services = ticksBetween(start.all, end.all, end.services);
  const waited = end.waiting.map((members) => ticksBetween(start.all, end.all, members));
  const waiting = waited.reduce((sum, ticks) => sum + ticks, 0);
  const isOurs = (/** @type {number} */ pid) =>
    pid === end.self.pid ||
    [end.server, end.clients, end.services, ...end.waiting].some((members) => members.has(pid));
  const others = new Map([...end.all].filter(([pid]) => !isOurs(pid)));
  const foreign = foreignTicks(start.machine, end.machine, {
    ours: server + services + waiting + client + own,
    seen: ticksBetween(start.all, end.all, others),
  });
  const ticks = ((end.atMs - start.atMs) / 1000) * TICKS_PER_SECOND;
  const capacity = ticks * end.machine.cores;
  const steal = end.machine.stealTicks - start.machine.stealTicks;
  const foreignShare = shareOf(foreign, capacity);
  return {
    cpu: {
      serverSeconds: server / TICKS_PER_SECOND,
      clientSeconds: client / TICKS_PER_SECOND,
      foreignShare,
      stealShare: shareOf(steal, capacity),
      ...(waited.length > 0 && { waitingSeconds: waiting / TICKS_PER_SECOND }),
    },
    ...(foreignShare > DISTURBED && { others: busiest(start.all, end.all, others).slice(0, NAMES) }),
    waiting: waited.map((used) => used / ticks),
  };
}

/**
 * What the machine was busy with beyond us. Kernels differ in whether the time of interrupts, of which a loaded network
 * makes a lot, is also in the account of the process that was interrupted (CONFIG_IRQ_TIME_ACCOUNTING takes it out).
 * Counted against the wrong kernel, our own packets would look like a neighbour; so of both readings that one is taken
 * which fits better to what other processes are seen to have used. In a container, which cannot see its neighbours, the
 * choice can only err towards less.
 * @param {Machine} start
 * @param {Machine} end
 * @param {{ ours: number, seen: number }} ticks seen: what the other visible processes used
 * @returns {number} ticks
 */
export function foreignTicks(start, end, { ours, seen }) {
  const without = end.processTicks - start.processTicks - ours;
  const withInterrupts = without + end.interruptTicks - start.interruptTicks;
  return Math.abs(without - seen) < Math.abs(withInterrupts - seen) ? without : withInterrupts;
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {number} 0 to 1: the accounts are kept in ticks of 10 ms each, so a difference may fall short of nothing
 */
function shareOf(part, whole) {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  return Math.round(share * 1e4) / 1e4;
}

/**
 * @param {number} pgid
 * @returns {{ stop: () => Observed }} pages that several processes share count in each
 */
function sampleMemory(pgid) {
  const startMs = performance.now();
  /** @type {[number, number][]} */
  const samples = [];
  /** @type {Processes} */
  let members = new Map();
  /** @type {Set<number>} */
  const outsiders = new Set();
  const sample = () => {
    const seconds = Math.round(performance.now() - startMs) / 1000;
    // Who was found not to belong is not asked again: of a full machine only a few processes are read.
    const processes = readProcesses((pid) => !outsiders.has(pid));
    members = membersOf(processes, pgid, members);
    for (const pid of processes.keys()) if (!members.has(pid)) outsiders.add(pid);
    const sizes = [...members.keys()].flatMap((pid) => readResidentBytes(pid) ?? []);
    if (sizes.length > 0) samples.push([seconds, sizes.reduce((sum, bytes) => sum + bytes, 0)]);
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      sample();
      if (samples.length === 0) return {};
      return { rssBytes: Math.max(...samples.map(([, bytes]) => bytes)), rssSamples: samples };
    },
  };
}
