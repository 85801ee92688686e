/**
 * The same server under several versions of its runtime.
 * @import { Server } from '../types.js'
 */

import { RUNTIMES } from '../deploy/runtimes.js';

/**
 * @param {Server[]} servers
 * @param {string} runtime
 * @param {string[] | undefined} versions
 * @returns {Server[]} in place of every server of that runtime, one a version
 */
export function underVersions(servers, runtime, versions) {
  if (!versions) return servers;
  return servers.flatMap((server) =>
    server.runtime === runtime ? versions.map((version) => underVersion(server, version)) : server,
  );
}

/** @param {Server} server @param {string} version @returns {Server} */
function underVersion(server, version) {
  const { runtime, id, name } = server;
  return {
    ...server,
    id: `${id}${under(runtime, version)}`,
    name: `${name} (${RUNTIMES[runtime]?.label} ${version})`,
    version,
  };
}

/** @param {Server} server @returns {string} what its folder or definition is called, whatever it runs on */
export function plainId({ id, runtime, version }) {
  return version === undefined ? id : id.slice(0, -under(runtime, version).length);
}

/** @param {string} runtime @param {string} version */
function under(runtime, version) {
  return `@${runtime}${version}`;
}
