/** Free ports of this machine. */

import { createServer } from 'node:net';

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
