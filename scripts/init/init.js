/**
 * Looks at a repository and makes what measures its servers: a recognizer for each kind of project.
 * @import { Found, Recognize, Sources } from './types.js'
 */

import { findGo } from './languages/go.js';
import { findJvm } from './languages/jvm.js';
import { findNode, findStartScript } from './languages/node.js';
import { findDockerfile, findPhp, findProcfile, findRails } from './languages/others.js';
import { findPython } from './languages/python.js';

/** What is sure; then, one after the other, what is worth a try. @type {Recognize[][]} */
const RECOGNIZERS = [
  [findNode, findJvm, findGo, findPython, findRails, findPhp],
  [findProcfile],
  [findStartScript],
  [findDockerfile],
];
/** Folders of servers that nobody deploys. */
const ASIDE =
  /(^|\/)(examples?|samples?|demos?|playgrounds?|benchmarks?|bench|clients?|frontend|tools?|scripts|libs?|packages\/[^/]+\/(examples?|bench)|mocks?|stubs?)(\/|$)/;
const MOST = 5;

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @param {string[]} [wanted] ids, where some are asked for
 * @param {string} [below] a folder of the repository: servers in it go before all others
 * @returns {{ servers: Found[], more: Found[] }} each with an id of its own; more: the less likely beyond five
 */
export function findServers(sources, name, wanted = [], below = '') {
  const all =
    RECOGNIZERS.map((find) => find.flatMap((each) => each(sources, name))).find(({ length }) => length > 0) ??
    [];
  const deployed = all.filter(({ folder }) => !ASIDE.test(folder));
  const found = withOwnIds(deployed.length > 0 ? deployed : all);
  if (wanted.length > 0) return { servers: found.filter(({ id }) => wanted.includes(id)), more: found };
  const here = below === '' ? [] : found.filter(({ folder }) => `${folder}/`.startsWith(`${below}/`));
  if (here.length > 0) return { servers: here, more: [] };
  const likely = new Set([...found].sort((a, b) => likeliness(b) - likeliness(a)).slice(0, MOST));
  return {
    servers: found.filter((server) => likely.has(server)),
    more: found.filter((server) => !likely.has(server)),
  };
}

/** @param {Found} server */
function likeliness({ route, doubts, folder }) {
  return (route.at ? 3 : 0) - 2 * doubts.length - (folder ? folder.split('/').length : 0);
}

/**
 * @param {Found[]} found
 * @returns {Found[]}
 */
function withOwnIds(found) {
  return found.map((server, index) => {
    const twins = found.slice(0, index).filter(({ id }) => id === server.id).length;
    return twins > 0 ? { ...server, id: `${server.id}-${twins + 1}` } : server;
  });
}
