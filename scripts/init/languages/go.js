/**
 * Go: a server for each program that opens one.
 * @import { Recognize } from '../types.js'
 */

import { findDatabases } from '../databases.js';
import { folderOf, idOf, inside, nameOf, sourcesIn, textOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { findSettings } from '../settings.js';

const OPENS = /\bListenAndServe|\.Run\(|\.Listen\(|\.Start\(|http\.Serve\b/;
/** What lies beside a server and is none. */
const NO_SERVER = /(^|[/_-])(cli|clients?|migrat\w*|seed\w*|tools?|gen\w*|bench\w*|load\w*|worker)$/;

/** @type {Recognize} */
export function findGo(sources, name) {
  return [...sources.keys()]
    .filter((file) => nameOf(file) === 'go.mod')
    .flatMap((file) => {
      const folder = folderOf(file);
      const own = sourcesIn(sources, folder, /^go\.mod$/);
      if (!OPENS.test(textOf(own))) return [];
      const mains = [...own].filter(
        ([, text]) => /^package main$/m.test(text) && /\bfunc main\(\)/.test(text),
      );
      const programs = [...new Set(mains.map(([source]) => folderOf(source)))].filter(
        (each) => !NO_SERVER.test(each),
      );
      const opening = programs.filter((each) =>
        [...own].some(([source, text]) => folderOf(source) === each && OPENS.test(text)),
      );
      return (opening.length > 0 ? opening : programs).map((program) => {
        const from = program === folder ? '.' : `./${program.slice(folder ? folder.length + 1 : 0)}`;
        const id = idOf(
          program
            .replace(/(^|\/)(cmd|src|main)$/, '')
            .split('/')
            .at(-1) || name,
        );
        const databases = findDatabases({ sources, own, folder, manifest: direct(sources.get(file) ?? '') });
        const { env, copy } = findSettings(own, folder);
        return {
          id,
          seen: `Go in ${inside(program, 'main.go')}`,
          folder,
          runtime: 'go',
          build: `go build -o bin/${id} ${from}`,
          start: [databases.assignments, `./bin/${id}`].filter(Boolean).join(' '),
          ...(Object.keys(env).length > 0 && { env }),
          ...(copy.length > 0 && { copy }),
          needs: databases.needs,
          route: findRoute(own),
          paths: folder ? [`${folder}/**`] : [],
          doubts: databases.doubts,
        };
      });
    });
}

/** @param {string} mod what a module needs itself, and not what that brings */
function direct(mod) {
  return mod.replace(/^.*\/\/ indirect.*$/gm, '');
}
