/**
 * What every recognized server gets: databases, settings, routes, a port, and what is left to do.
 * @import { Candidate, Program, Project } from './candidates.js'
 */

import { posix } from 'node:path';
import { findDatabases } from './databases.js';
import { globOf } from './source-tree.js';
import { migrationsOf } from './migrations.js';
import { onOurPort, portFor } from './ports.js';
import { findRoutes } from './routes/routes.js';
import { ENV_FILE, findSettings } from './server-settings.js';

const NO_ROUTE = 'the sources name no route, so / is a guess: write one that answers with status 200';

/** @type {(project: Project, program: Program) => Candidate} */
export function completed(project, program) {
  const { commands, setup = [], code = project.own, toDos = [], ...rest } = program;
  const { databases = findDatabases(project), routes = findRoutes(code), ...server } = rest;
  const { needs, assignments } = databases;
  const [command = ''] = commands;
  const settings = findSettings(project, needs, command);
  const env = { ...settings.env, ...server.env };
  const migrations = migrationsOf(project, needs, { start: command, copy: settings.copy });
  const addressed = (/** @type {string} */ line) => [assignments, line].filter(Boolean).join(' ');
  const before = [...databases.setup, ...[...migrations.setup, ...setup].map(addressed)].join(' && ');
  const isCopied = (/** @type {string} */ file) => settings.copy.includes(posix.normalize(file));
  const ours = onOurPort(command.replace(ENV_FILE, (option, file) => (isCopied(file) ? option : '')));
  const port = portFor(code, ours);
  const start = addressed(`${ours}${port.options}`);
  const missing = settings.missing.filter((name) => !(name in env));
  return {
    ...server,
    ...(before !== '' && { setup: before }),
    ...(commands.length > 1 ? { starts: commands } : { start }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(settings.copy.length > 0 && { copy: settings.copy }),
    needs,
    paths: server.paths ?? (server.folder ? [`${globOf(server.folder)}/**`] : []),
    route: routes[0] ?? { path: '/' },
    otherRoutes: routes.slice(1),
    toDos: [
      ...toDos,
      ...(commands.length > 1
        ? ['nothing says which of these programs to measure: choose a start line']
        : []),
      ...databases.toDos,
      ...migrations.toDos,
      ...port.toDos,
      ...settings.toDos,
      ...settings.copy.map(
        (file) =>
          `${file} is copied: if git ignores it, the workflow on GitHub has to write it first; or put its values under env`,
      ),
      ...(missing.length > 0 ? [`give values under env: ${missing.join(', ')}`] : []),
      routes[0] ? (routes[0].toDo ?? []) : NO_ROUTE,
    ].flat(),
  };
}
