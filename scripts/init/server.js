/** What reading tells of a server. @import { Candidate, Program, Project } from './candidates.js' */

import { findDatabases } from './databases.js';
import { migrationsOf } from './migrations.js';
import { pagePaths, wordPaths } from './paths.js';
import { onOurPort, portOptions } from './ports.js';
import { settingsOf } from './server-settings.js';
import { globOf, idOf } from './source-tree.js';

/** @type {(project: Project, program: Program) => Candidate} */
export function completed(project, program) {
  const { commands, migrations = [], toDos = [], ...rest } = program;
  const { paths, ...server } = rest;
  const services = findDatabases(project);
  const ids = services.map(({ id }) => id);
  return {
    ...server,
    id: idOf(server.id),
    paths: paths ?? (server.folder ? [`${globOf(server.folder)}/**`] : []),
    toDos,
    tries: {
      commands: commands.map(onOurPort),
      pages: pagePaths(project.own),
      words: wordPaths(project.own),
      services,
      migrations: [...migrations, ...migrationsOf(project, ids)],
      options: commands.some((command) => command.includes('$PORT')) ? [] : portOptions(project.own),
      settings: settingsOf(project),
    },
  };
}

/** What runs a program of JavaScript: NODE_ENV=production bun src/index.ts. @param {string} command */
export function runtimeOf(command) {
  return /^(\w+=\S+ )*bunx?\b/.test(command) ? 'bun' : 'node';
}
