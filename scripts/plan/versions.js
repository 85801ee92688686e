/**
 * The same server under several versions of Node.
 * @import { Server } from '../types.js'
 */

/** Stands between a server's name and the version in an id. */
const UNDER = '@node';

/**
 * @param {Server[]} servers
 * @param {string[] | undefined} versions
 * @returns {Server[]} in place of every server whose runtime is node, one a version
 */
export function underNodes(servers, versions) {
  if (!versions) return servers;
  return servers.flatMap((server) =>
    server.runtime === 'node' ? versions.map((version) => underNode(server, version)) : server,
  );
}

/**
 * @param {Server} server
 * @param {string} version
 * @returns {Server}
 */
function underNode(server, version) {
  return {
    ...server,
    id: `${server.id}${UNDER}${version}`,
    name: `${server.name} (Node ${version})`,
    node: version,
  };
}

/**
 * @param {Server} server
 * @returns {string} what its folder or definition is called, whatever it runs on
 */
export function plainId({ id, node }) {
  return node === undefined ? id : id.slice(0, -`${UNDER}${node}`.length);
}
