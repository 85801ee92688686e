/**
 * The versions of the runtimes that servers run on, and a place of its own for each server.
 * @import { Server, Side } from '../../types.js'
 */

import { MeasureError } from '../../model/errors.js';
import { askVersion } from '../../system/process/programs.js';
import { bringVersion } from '../install/runtime-download.js';
import { serverEnvironment } from '../start/environment.js';
import { inOwnPlace } from '../source/build-dir.js';
import { RUNTIMES } from '../runtimes.js';

/**
 * @param {Side[]} sides
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal, out: string }} context out: the folder of results, absolute
 * @returns {Promise<{ sides: Side[], runtimes: Record<string, string> }>} runtimes: exact versions, like
 *   { "node@24": "24.9.0" }, without those that could not be had: prepare tries once more, and tells
 */
export async function underVersions(sides, { env, signal, out }) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  /** @type {Record<string, string>} */
  const runtimes = {};
  for (const { runtime, version } of servers) {
    const name = `${runtime}@${version}`;
    if (version === undefined || name in runtimes) continue;
    try {
      runtimes[name] = await bringVersion(runtime, version, { env, signal });
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

/**
 * @param {string[]} runtimes the manifests' `runtime`s, which are their commands' names
 * @returns {Promise<Record<string, string>>} versions of the machine's own by name; one that does not answer is left out
 */
export async function runtimeVersions(runtimes) {
  const found = await Promise.all(
    [...new Set(runtimes)].map(async (name) => [
      name,
      await versionOf(name, RUNTIMES[name]?.versionArgument),
    ]),
  );
  return Object.fromEntries(found.filter(([, version]) => version));
}

/**
 * @param {string} program
 * @param {string} [argument] that it prints its version for, where that is known
 */
async function versionOf(program, argument) {
  for (const each of argument ? [argument] : ['--version', 'version']) {
    const env = serverEnvironment(process.env, { env: {}, runtime: program });
    const { failed, version } = await askVersion(program, each, env);
    // What is not installed, or does not know the argument, fails.
    if (!failed && version) return version;
  }
  return undefined;
}
