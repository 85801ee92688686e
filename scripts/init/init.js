/** Finds the servers of a repository. @import { Candidate, Recognize, Sources } from './candidates.js' */

import { findDotnet, findGo, findRust } from './languages/compiled.js';
import { findDeno } from './languages/deno.js';
import { findJvm } from './languages/jvm-projects.js';
import { findNode, findStartScript } from './languages/node-projects.js';
import { findDockerfile, findPhp, findProcfile, findRails } from './languages/other-projects.js';
import { findPython } from './languages/python.js';

/** A later group is asked only if the ones before it find nothing. @type {Recognize[][]} */
const RECOGNIZERS = [
  [findNode, findDeno, findJvm, findGo, findRust, findDotnet, findPython, findRails, findPhp],
  [findProcfile],
  [findStartScript],
  [findDockerfile],
];
/** Folders of servers that are not deployed. */
const ASIDE =
  /(^|\/)(examples?|samples?|demos?|playgrounds?|benchmarks?|bench|client(s|-?app)?|frontend|tools?|scripts|libs?|packages\/[^/]+\/(examples?|bench)|mocks?|stubs?)(\/|$)/i;
const MOST = 5;

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @param {string[]} [wanted] ids; empty for all
 * @param {string} [preferredFolder] a folder of the repository: if servers lie in it, only they are returned
 * @returns {{ servers: Candidate[], more: Candidate[] }} with unique ids; more: the less likely beyond five;
 *   with wanted, all there are
 */
export function findServers(sources, name, wanted = [], preferredFolder = '') {
  /** @type {Candidate[]} */
  let all = [];
  for (const group of RECOGNIZERS)
    if (all.length === 0) all = group.flatMap((recognize) => recognize(sources, name, preferredFolder));
  const deployed = all.filter(({ folder }) => !ASIDE.test(folder));
  const candidates = (deployed.length > 0 ? deployed : all).map((server, place, each) => {
    const twins = each.slice(0, place).filter(({ id }) => id === server.id).length;
    return twins > 0 ? { ...server, id: `${server.id}-${twins + 1}` } : server;
  });
  if (wanted.length > 0)
    return { servers: candidates.filter(({ id }) => wanted.includes(id)), more: candidates };
  const here = candidates.filter(({ folder }) => `${folder}/`.startsWith(`${preferredFolder}/`));
  if (preferredFolder !== '' && here.length > 0) return { servers: here, more: [] };
  const rankOf = (/** @type {Candidate} */ { tries: { commands }, toDos, folder }) =>
    2 * (commands.length + toDos.length) + (folder ? folder.split('/').length : 0);
  const likely = candidates.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST);
  return {
    servers: candidates.filter((server) => likely.includes(server)),
    more: candidates.filter((server) => !likely.includes(server)),
  };
}
