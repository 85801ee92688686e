/**
 * What every recognized server gets, whatever its language: databases, settings, and what is left to do.
 * @import { Settings } from './settings.js'
 * @import { Candidate, Project } from './types.js'
 */

import { findDatabases } from './databases.js';
import { globOf } from './folders.js';
import { findSettings } from './settings.js';

/** @param {Project} project @returns {{ databases: ReturnType<typeof findDatabases>, settings: Settings }} */
export function environmentOf(project) {
  const databases = findDatabases(project);
  return { databases, settings: findSettings(project.own, project.folder, databases.needs) };
}

/**
 * @param {Omit<Candidate, 'start' | 'needs' | 'paths' | 'toDos'> & { commands: string[], paths?: string[], toDos?: string[] }} server
 *   commands: the last one starts it, after the others; paths: its folder if absent
 * @param {{ databases?: ReturnType<typeof findDatabases>, settings?: Settings }} [environment]
 * @returns {Candidate}
 */
export function completed({ commands, toDos = [], ...server }, { databases, settings } = {}) {
  const env = { ...settings?.env, ...server.env };
  const { copy = [] } = settings ?? {};
  const missing = (settings?.missing ?? []).filter((name) => !(name in env));
  return {
    ...server,
    start: commands
      .map((command) => [databases?.assignments, command].filter(Boolean).join(' '))
      .join(' && '),
    ...(Object.keys(env).length > 0 && { env }),
    ...(copy.length > 0 && { copy }),
    needs: databases?.needs ?? [],
    paths: server.paths ?? (server.folder ? [`${globOf(server.folder)}/**`] : []),
    toDos: [
      ...toDos,
      ...(databases?.toDos ?? []),
      ...copy.map(
        (file) =>
          `${file} is copied: if git ignores it, the workflow on GitHub has to write it first; or put its values under env`,
      ),
      ...(missing.length > 0 ? [`give values under env: ${missing.join(', ')}`] : []),
      ...routeToDos(server.route),
    ],
  };
}

/** @param {Candidate['route']} route @returns {string[]} */
function routeToDos({ path, method, declaredAt, isDoubtful }) {
  if (isDoubtful) return [`check that ${path} answers anybody with status 200`];
  return declaredAt === undefined && method === undefined
    ? [`the sources name no route, so ${path} is a guess: write one that answers with status 200`]
    : [];
}
