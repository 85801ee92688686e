/** What reading tells of a server. @import { Candidate, Program, Project } from './candidates.js' */

import { SERVICES } from '../deploy/services.js';
import { findDatabases } from './databases.js';
import { migrationsOf } from './migrations.js';
import { pagePaths, wordPaths } from './paths.js';
import { onOurPort, portOptions } from './ports.js';
import { settingsOf } from './server-settings.js';
import { globOf, joinedText } from './source-tree.js';

/** @type {(project: Project, program: Program) => Candidate} */
export function completed(project, program) {
  const { commands, migrations = [], toDos = [], ...rest } = program;
  const { services = findDatabases(project), paths, ...server } = rest;
  const ids = services.map(({ id }) => id);
  const text = joinedText(project.own);
  const isNode = server.runtime === 'node';
  return {
    ...server,
    paths: paths ?? (server.folder ? [`${globOf(server.folder)}/**`] : []),
    toDos,
    tries: {
      commands: commands.map(onOurPort),
      pages: pagePaths(project.own),
      words: wordPaths(project.own),
      services,
      migrations: [...migrations, ...migrationsOf(project, ids)],
      options: commands.some((command) => command.includes('$PORT')) ? [] : portOptions(project.own),
      settings: settingsOf(project, commands[0] ?? ''),
      // A server of Node is kept from them.
      namesHosts: !isNode && services.some(({ id, isRead }) => !isRead && namesHost(id, text)),
    },
  };
}

/** Its port or its kind of address. @type {(id: string, text: string) => boolean} */
function namesHost(id, text) {
  const { port, scheme } = SERVICES[id] ?? {};
  const start = scheme?.source.replace('^', '');
  return new RegExp(`\\b${port}\\b|${start}//`).test(text);
}

/** What runs a program of JavaScript: NODE_ENV=production bun src/index.ts. @param {string} command */
export function runtimeOf(command) {
  return /^(\w+=\S+ )*bunx?\b/.test(command) ? 'bun' : 'node';
}
