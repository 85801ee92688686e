/** The loopback and its free ports. */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { UserError } from '../model/errors.js';

/** Everything is started and loaded on this address alone. */
export const HOST = '127.0.0.1';

/** @returns {Promise<number>} a port that was free a moment ago */
export async function freePort() {
  const probe = createServer();
  const port = await listen(probe);
  await once(probe.close(), 'close');
  return port;
}

/** Throws a UserError where this machine or network namespace has none. @type {() => Promise<void>} */
export async function requireLoopback() {
  const server = createServer((socket) => socket.destroy());
  try {
    const socket = connect(await listen(server), HOST);
    await once(socket, 'connect');
    socket.destroy();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(`${HOST} cannot be reached (${code}); turn the loopback on: sudo ip link set lo up`);
  } finally {
    server.close();
  }
}

/** Returns its port. @type {(server: import('node:net').Server) => Promise<number>} */
async function listen(server) {
  await once(server.listen(0, HOST), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}
