/** Finds listening processes, on Linux only. @import { Process } from '../../system/process/proc.js' */

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listPids, readProcess, runningInGroup } from '../../system/process/proc.js';
import { isSupervisor } from '../../system/process/supervisor.js';

/** TCP_LISTEN in the kernel's include/net/tcp_states.h. */
const LISTEN = '0A';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Addresses in the tables, each word in the machine's byte order. */
const ADDRESSES = new Map([
  ['00000000', '0.0.0.0'],
  ['0100007F', '127.0.0.1'],
  ['00000000000000000000000000000000', '[::]'],
  ['00000000000000000000000001000000', '[::1]'],
]);
/** Connections to 127.0.0.1 reach these. */
const REACHABLE = new Set(['0.0.0.0', '127.0.0.1', '[::]']);

/** @typedef {{ port: number, address: string, isReachable: boolean, inode: string }} Listener */

/** Where the members of a process group, by its id, listen. @type {(group: number) => Listener[]} */
export function listenersOf(group) {
  const sockets = new Set(runningInGroup(group).flatMap(socketsOf));
  return listeners().filter(({ inode }) => sockets.has(inode));
}

/** A process that listens there, if this user may see it. @type {(port: number) => string | undefined} */
export function holderOf(port) {
  const [pid] = holdersOf(port);
  const name = pid === undefined ? undefined : readProcess(pid)?.name;
  return name && `${name} (process ${pid})`;
}

/** Whether a process listens there. @type {(port: number) => boolean} */
export function isTaken(port) {
  return listeners().some((listener) => listener.port === port);
}

/**
 * Any process, another engine too, may take a free port before the server uses it. Daemons of the server
 * descend from its supervisor. Containers do not, but the command line of their engine contains the port.
 * Returns whether another program certainly answers there.
 * @type {(port: number, group: { ancestor: number }) => boolean}
 */
export function isStolen(port, { ancestor }) {
  const holders = holdersOf(port).map(lineageOf);
  const isOurs = (/** @type {Process[]} */ lineage) => lineage.some(({ pid }) => pid === ancestor);
  const mayBeOurs = (/** @type {Process[]} */ lineage) =>
    !lineage.some(isSupervisor) &&
    orNothing(() => readFileSync(`/proc/${lineage[0]?.pid}/cmdline`, 'utf8'))?.includes(String(port));
  return holders.length > 0 && !holders.some((lineage) => isOurs(lineage) || mayBeOurs(lineage));
}

/** The processes that listen there, if this user may see them. @type {(port: number) => number[]} */
function holdersOf(port) {
  const held = new Set(listeners().flatMap((listener) => (listener.port === port ? listener.inode : [])));
  if (held.size === 0) return [];
  return listPids().filter((pid) => socketsOf(pid).some((inode) => held.has(inode)));
}

/** Itself, its parent, and so on. @type {(pid: number) => Process[]} */
function lineageOf(pid) {
  const process = readProcess(pid);
  return process ? [process, ...lineageOf(process.ppid)] : [];
}

/** The inodes of its sockets. @type {(pid: number) => string[]} */
function socketsOf(pid) {
  const folder = `/proc/${pid}/fd`;
  const files = orNothing(() => readdirSync(folder)) ?? [];
  return files.flatMap((file) => {
    const target = orNothing(() => readlinkSync(`${folder}/${file}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

/** Undefined if it has gone, or is another user's. @type {<T>(read: () => T) => T | undefined} */
function orNothing(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Those of this machine; the columns are described in proc_pid_net(5). @returns {Listener[]} */
export function listeners() {
  // Without IPv6 there is no second table.
  const rows = TABLES.filter(existsSync).flatMap((file) =>
    readFileSync(file, 'utf8').trim().split('\n').slice(1),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state]) => state === LISTEN)
    .map(([, local = '', , , , , , , , inode = '']) => {
      const [hex = '', port = ''] = local.split(':');
      const address = ADDRESSES.get(hex) ?? 'another address';
      return { port: Number.parseInt(port, 16), address, isReachable: REACHABLE.has(address), inode };
    });
}
