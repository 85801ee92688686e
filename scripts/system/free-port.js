/** The loopback and its free ports. */

import { connect, createServer } from 'node:net';
import { UserError } from '../model/errors.js';

/** Everything is started and loaded on this address alone. */
export const HOST = '127.0.0.1';

/** @returns {Promise<number>} a port that was free a moment ago */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, HOST, () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

/** Throws a UserError where this machine or network namespace has none. @type {() => Promise<void>} */
export function requireLoopback() {
  return new Promise((resolve, reject) => {
    const refuse = (/** @type {NodeJS.ErrnoException} */ { code }) => {
      server.close();
      reject(
        new UserError(`${HOST} cannot be reached (${code}); turn the loopback on: sudo ip link set lo up`),
      );
    };
    const server = createServer((socket) => socket.destroy()).once('error', refuse);
    server.listen(0, HOST, () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      const socket = connect(port, HOST).once('error', refuse);
      socket.once('connect', () => {
        socket.destroy();
        server.close(() => resolve());
      });
    });
  });
}
