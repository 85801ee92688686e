/** Where a process group listens, for the message to whoever listens on another port than the given one. */

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isMember } from './alive.js';

/** TCP_LISTEN in the kernel's include/net/tcp_states.h. */
const LISTEN = '0A';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * @param {number} group the process group's id
 * @returns {number[]} ports, each once; none where the system does not tell
 */
export function portsOf(group) {
  if (process.platform !== 'linux') return [];
  const mine = new Set(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isMember(name, group))
      .flatMap(socketsOf),
  );
  const ports = TABLES.flatMap(listeners).filter(({ inode }) => mine.has(inode));
  return [...new Set(ports.map(({ port }) => port))];
}

/**
 * @param {string} pid
 * @returns {string[]} inodes
 */
function socketsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode ?? [];
    });
  } catch {
    // It ended, or closed one, since it was listed.
    return [];
  }
}

/**
 * Columns by proc_pid_net(5): the local address with its port in hexadecimal, the state, and the inode last but a few.
 * @param {string} file
 */
function listeners(file) {
  // Without IPv6 there is no second table.
  if (!existsSync(file)) return [];
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state]) => state === LISTEN)
    .map(([, address = '', , , , , , , , inode = '']) => ({
      port: Number.parseInt(address.split(':')[1] ?? '', 16),
      inode,
    }));
}
