/**
 * The same server under several versions of its runtime.
 * @import { Server } from '../../types.js'
 */

import { RUNTIMES } from '../../deploy/runtimes.js';

/** @param {Server[]} servers @param {string} runtime @param {string[] | undefined} versions @returns {Server[]} every server of that runtime once per version */
export function underVersions(servers, runtime, versions) {
  if (!versions) return servers;
  return servers.flatMap((server) =>
    server.runtime !== runtime
      ? server
      : versions.map((version) => ({
          ...server,
          id: `${server.id}${suffix(runtime, version)}`,
          name: `${server.name} (${RUNTIMES[runtime]?.label} ${version})`,
          version,
        })),
  );
}

/** @param {Server} server @returns {string} the name of its folder or definition, without the version */
export function plainId({ id, runtime, version }) {
  return version === undefined ? id : id.slice(0, -suffix(runtime, version).length);
}

/** @param {string} runtime @param {string} version */
function suffix(runtime, version) {
  return `@${runtime}${version}`;
}
