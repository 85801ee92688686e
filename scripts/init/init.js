/**
 * Looks at a repository and makes what measures its servers.
 * @import { Found, Sources } from './types.js'
 */

import { findNode } from './node.js';
import { findDockerfile, findGo, findPhp, findSpring } from './others.js';

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @returns {Found[]} each with an id of its own; empty where nothing looks like a server
 */
export function findServers(sources, name) {
  const sure = [findNode, findSpring, findGo, findPhp].flatMap((find) => find(sources, name));
  const found = sure.length > 0 ? sure : findDockerfile(sources, name);
  return found.map((server, index) => {
    const twins = found.slice(0, index).filter(({ id }) => id === server.id).length;
    return twins > 0 ? { ...server, id: `${server.id}-${twins + 1}` } : server;
  });
}
