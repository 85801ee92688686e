/**
 * The ports that a client opens connections from. Without keep-alive each is used once and, where the client
 * closes first, rests for a minute (TIME_WAIT): a tool that runs out of them does not measure the server.
 */

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../model/errors.js';

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
const CONNECTIONS = '/proc/net/tcp';
/** TCP_TIMEWAIT_LEN of the kernel is a minute. */
const LONGEST_WAIT_MS = 61_000;
const POLL_MS = 500;
/** With this share of the ports in use, enough are left for a window. */
const ENOUGH_LEFT = 0.5;
/** With this share of the ports in use, none is left. */
const USED_UP = 0.98;

/**
 * @template T
 * @param {{ url: string, signal: AbortSignal }} target
 * @param {() => Promise<T>} load opens a connection for every request
 * @returns {Promise<T>} the result of `load`, which starts once enough ports are free
 * @throws {MeasureError} load-tool-crashed, where they ran out; that of the load; cancelled
 */
export async function withFreePorts({ url, signal }, load) {
  if (!existsSync(RANGE)) return load();
  const port = Number(new URL(url).port);
  const [first = 0, last = 0] = readFileSync(RANGE, 'utf8').trim().split(/\s+/).map(Number);
  const ports = last - first + 1;
  const end = performance.now() + LONGEST_WAIT_MS;
  while (portsUsed(port) > ENOUGH_LEFT * ports && performance.now() < end) {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled while ports were in use');
    await sleep(POLL_MS);
  }
  const requirePorts = (/** @type {string[] | undefined} */ logTail) => {
    if (portsUsed(port) < USED_UP * ports) return;
    const why = `the load tool used up the ${ports} ports that this machine opens connections from (${first} to ${last}): this server leaves it to its clients to close, and their ports rest for a minute; use keepAlive: true, or a duration that needs fewer connections`;
    throw new MeasureError('load-tool-crashed', why, logTail);
  };
  const result = await load().catch((error) => {
    if (error instanceof MeasureError && error.kind !== 'cancelled') requirePorts(error.logTail);
    throw error;
  });
  requirePorts(undefined);
  return result;
}

/**
 * Counts connections to a server's port, in any state, seen from the client. Columns by proc_pid_net(5): the
 * remote address third, with its port in hexadecimal.
 * @type {(server: number) => number}
 */
function portsUsed(server) {
  const remote = `:${server.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync(CONNECTIONS, 'latin1').trim().split('\n').slice(1);
  return rows.filter((row) => row.trimStart().split(' ', 3)[2]?.endsWith(remote)).length;
}
