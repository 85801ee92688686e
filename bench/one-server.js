/**
 * Shared by benches that start and load a server themselves.
 * @import { Target } from '../scripts/load/tools.js'
 */

import { fileURLToPath } from 'node:url';
import { readServer } from '../scripts/catalog/catalog.js';
import { thisProcess } from '../scripts/system/this-project.js';

/** @param {string} id of a server of the catalogue */
export function builtIn(id) {
  return readServer(fileURLToPath(new URL(`../servers/${id}`, import.meta.url)), thisProcess());
}

/**
 * @param {string} url of the server
 * @param {{ seconds: number, connections?: number, tool?: string }} how
 * @returns {Target} its first route, as fast as the connections go
 */
export function closedLoad(url, { seconds, connections = 50, tool = 'autocannon' }) {
  return {
    load: {
      tool,
      connections,
      durationSeconds: seconds,
      warmupSeconds: 0,
      keepAlive: true,
      pipelining: 1,
      threads: 1,
    },
    request: { method: 'GET', path: '/', headers: {} },
    url,
    seconds,
  };
}
