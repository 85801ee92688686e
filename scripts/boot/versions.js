/**
 * The versions of Node that servers are to run under, and a place of its own for each server.
 * @import { Server, Side } from '../types.js'
 */

import { MeasureError } from '../errors.js';
import { provideNode } from './node.js';
import { inOwnPlace } from './places.js';

/**
 * @param {Side[]} sides
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal, out: string }} context out: the folder of results, absolute
 * @returns {Promise<{ sides: Side[], runtimes: Record<string, string> }>} runtimes: exact versions, like
 *   { "node@24": "24.9.0" }, without those that could not be had: prepare tries once more, and tells
 */
export async function underVersions(sides, { env, signal, out }) {
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
  const context = { env, out, commits: new Map() };
  const placed = sides.map(async (side) => ({
    ...side,
    servers: await placedServers(side.servers, context),
  }));
  return { sides: await Promise.all(placed), runtimes };
}

/**
 * @param {Record<string, Server>} servers
 * @param {Parameters<typeof inOwnPlace>[1]} context
 */
async function placedServers(servers, context) {
  /** @type {Record<string, Server>} */
  const placed = {};
  for (const [id, server] of Object.entries(servers)) placed[id] = await inOwnPlace(server, context);
  return placed;
}
