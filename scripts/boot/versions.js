/**
 * Servers that are to run under versions of Node: the versions, and a place of its own for each server.
 * @import { Server, Side } from '../types.js'
 */

import { MeasureError } from '../errors.js';
import { inOwnCopy } from './copies.js';
import { provideNode } from './node.js';

/**
 * @param {Side[]} sides
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} context
 * @returns {Promise<{ sides: Side[], runtimes: Record<string, string> }>} runtimes: exact versions, like
 *   { "node@24": "24.9.0" }, without those that could not be had: prepare tries once more, and tells
 */
export async function underVersions(sides, { env, signal }) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  const asked = [...new Set(servers.flatMap(({ node }) => node ?? []))];
  /** @type {Record<string, string>} */
  const runtimes = {};
  for (const version of asked) {
    try {
      runtimes[`node@${version}`] = await provideNode(version, { env, signal });
    } catch (error) {
      if (!(error instanceof MeasureError)) throw error;
    }
  }
  const placed = sides.map(async (side) => ({ ...side, servers: await placedServers(side.servers, env) }));
  return { sides: await Promise.all(placed), runtimes };
}

/**
 * @param {Record<string, Server>} servers
 * @param {NodeJS.ProcessEnv} env
 */
async function placedServers(servers, env) {
  /** @type {Record<string, Server>} */
  const placed = {};
  for (const [id, server] of Object.entries(servers)) {
    placed[id] = server.node === undefined ? server : await inOwnCopy(server, env);
  }
  return placed;
}
