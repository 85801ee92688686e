/** Versions of runtimes: asked for, and of the machine. @import { Server, Side } from '../../types.js' */

import { MeasureError } from '../../model/errors.js';
import { askVersion, versionsOf } from '../../system/process/find-program.js';
import { bringVersion } from '../process/runtime-download.js';
import { serverEnvironment } from '../process/server-environment.js';
import { inBuildDir } from './build-dir.js';
import { RUNTIMES } from '../runtimes.js';

/**
 * Brings the versions of the runtimes that servers run on, and gives each server a build folder.
 * @param {Side[]} sides
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal, out: string }} context out: of results, absolute
 * @returns {Promise<{ sides: Side[], runtimes: Record<string, string> }>} runtimes: exact versions, like {
 *   "node@24": "24.9.0" }, without those that failed to download: `prepare` tries again and reports it
 */
export async function inBuildDirs(sides, { env, signal, out }) {
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
  const copySources = async (/** @type {Side} */ side) => {
    /** @type {Record<string, Server>} */
    const copied = {};
    for (const [id, server] of Object.entries(side.servers)) copied[id] = await inBuildDir(server, context);
    return { ...side, servers: copied };
  };
  return { sides: await Promise.all(sides.map(copySources)), runtimes };
}

/**
 * The machine's versions by name, without those that do not answer; runtimes are named by their commands.
 * @type {(runtimes: string[]) => Promise<Record<string, string>>}
 */
export function runtimeVersions(runtimes) {
  return versionsOf([...new Set(runtimes)], async (runtime) => {
    const { versionArgument } = RUNTIMES[runtime] ?? {};
    const env = serverEnvironment(process.env, { env: {}, runtime });
    for (const argument of versionArgument ? [versionArgument] : ['--version', 'version']) {
      const { failed, version } = await askVersion(runtime, argument, env);
      if (!failed && version) return version;
    }
    return undefined;
  });
}
