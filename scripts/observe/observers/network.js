/**
 * Whether answers wait for the network: `sendingShare`, the share of clients' connections that hold bytes of an answer which it has
 * not delivered yet. With a loopback narrowed to 200 Mbit/s by tc-tbf, answers of 7 and 100 kB, 8 and 64 connections: 0.7 to 1
 * where bandwidth binds, up to 0.3 where CPU or waiting does.
 * @import { Observer } from '../observers.js'
 */

import { existsSync, readFileSync } from 'node:fs';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const COUNTS = '/proc/net/sockstat';
/** TCP_ESTABLISHED in the kernel's include/net/tcp_states.h. */
const ESTABLISHED = '01';
/** A look takes the kernel 5 ms, at a thousand sockets 10, at two thousand 15: one a second is then under 1 % of a core. */
const SAMPLES_PER_LOOK = 5;
const FIRST_LOOK = 2;
const MOST_SOCKETS = 1000;

/** @type {Observer} */
export const network = {
  label: 'answers that wait for the network',
  reads: TABLES.join(', '),
  platforms: ['linux'],
  start({ port }) {
    let samples = 0;
    /** @type {number[]} */
    const queues = [];
    return {
      sample() {
        if (port && samples++ % SAMPLES_PER_LOOK === FIRST_LOOK && socketCount() <= MOST_SOCKETS)
          for (const table of TABLES.filter(existsSync))
            queues.push(...queuesIn(readFileSync(table, 'latin1'), port));
      },
      stop: () =>
        queues.length === 0
          ? {}
          : { sendingShare: round(queues.filter((bytes) => bytes > 0).length / queues.length) },
    };
  },
};

/**
 * Columns by proc_pid_net(5): the local address second, then the remote one, the state, and both queues.
 * @param {string} table
 * @param {number} port of the server
 * @returns {number[]} bytes that were sent and not acknowledged, of each connection to it
 */
export function queuesIn(table, port) {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((row) => {
    const [, address, , state, queued = ''] = row.trimStart().split(/ +/, 5);
    return state === ESTABLISHED && address?.endsWith(local) ? Number.parseInt(queued, 16) : [];
  });
}

/** @returns {number} sockets in those tables */
function socketCount() {
  const [, used, resting] = /^TCP: inuse (\d+) .*\btw (\d+)/m.exec(readFileSync(COUNTS, 'latin1')) ?? [];
  return Number(used) + Number(resting);
}

/** @param {number} share */
function round(share) {
  return Math.round(share * 1000) / 1000;
}
