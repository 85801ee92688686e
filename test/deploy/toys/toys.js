/**
 * Toy servers named by what they do.
 * @import { Server } from '../../../scripts/types.js'
 */

import { fileURLToPath } from 'node:url';

/**
 * @param {string} behaviour see toy.js; any other word is a well-behaved server
 * @param {Partial<Server>} [changes]
 * @returns {Server}
 */
export function toy(behaviour, changes = {}) {
  const plain = { method: 'GET', headers: {} };
  return {
    id: behaviour,
    name: behaviour,
    runtime: 'node',
    folder: fileURLToPath(new URL('.', import.meta.url)),
    start: ['node', 'toy.js', behaviour],
    ready: { path: '/', timeoutSeconds: 10 },
    routes: [
      { id: '/', path: '/', ...plain, expect: { status: 200, type: 'text/plain', body: 'Hello World!' } },
      {
        id: '/json',
        path: '/json',
        ...plain,
        expect: { status: 200, type: 'application/json', json: { hello: 'world' } },
      },
    ],
    needs: [],
    env: {},
    ...changes,
  };
}
