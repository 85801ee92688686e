/**
 * Go: a server for each program that opens one.
 * @import { Candidate, Project, Recognize, Sources } from '../types.js'
 */

import { posix } from 'node:path';
import { findDatabases } from '../databases.js';
import { folderOf, foldersWith, idOf, sourcesIn, textOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { completed } from '../server.js';
import { findSettings } from '../settings.js';

const OPENS = /\bListenAndServe|\.Run\(|\.Listen\(|\.Start\(|http\.Serve\b/;
/** Programs that lie beside a server. */
const NO_SERVER = /(^|[/_-])(cli|clients?|migrat\w*|seed\w*|tools?|gen\w*|bench\w*|load\w*|worker)$/;

/** @type {Recognize} */
export function findGo(sources, name) {
  return foldersWith(sources, /^go\.mod$/).flatMap((folder) => {
    const own = sourcesIn(sources, folder, /^go\.mod$/);
    return programsIn(own).map((program) => describe({ sources, own, folder, program, name }));
  });
}

/** @param {Sources} own @returns {string[]} the folders of programs that open a server */
function programsIn(own) {
  if (!OPENS.test(textOf(own))) return [];
  const foldersOf = (/** @type {(text: string) => boolean} */ test) =>
    [...own].filter(([, text]) => test(text)).map(([file]) => folderOf(file));
  const mains = foldersOf((text) => /^package main$/m.test(text) && /\bfunc main\(\)/.test(text));
  const programs = [...new Set(mains)].filter((folder) => !NO_SERVER.test(folder));
  const opening = foldersOf((text) => OPENS.test(text));
  const servers = programs.filter((folder) => opening.includes(folder));
  return servers.length > 0 ? servers : programs;
}

/** @param {Project & { program: string, name: string }} module @returns {Candidate} */
function describe({ sources, own, folder, program, name }) {
  const id = idOf(posix.basename(program.replace(/(^|\/)(cmd|src|main)$/, '')) || name);
  const from = program === folder ? '.' : `./${posix.relative(folder, program)}`;
  // Indirect modules are those that others need.
  const manifest = (sources.get(posix.join(folder, 'go.mod')) ?? '').replace(/^.*\/\/ indirect.*$/gm, '');
  const databases = findDatabases({ sources, own, folder, manifest });
  return completed(
    {
      id,
      evidence: `Go in ${posix.join(program, 'main.go')}`,
      folder,
      runtime: 'go',
      build: `go build -o bin/${id} ${from}`,
      commands: [`./bin/${id}`],
      route: findRoute(own),
    },
    { databases, settings: findSettings(own, folder, databases.needs) },
  );
}
