/**
 * The sides of `run --against fastify@5.2.0` or `node@22`: the base has the same sources, other versions.
 * @import { Config, Server, Side, Warning } from '../types.js'
 */

import { dependenciesOf, exactVersion } from '../deploy/install/packages.js';
import { RUNTIMES } from '../deploy/runtimes.js';
import { UserError } from '../model/errors.js';
import { nearest } from '../model/nearest.js';
import { onlyServers } from '../plan/relevant.js';
import { serversById } from '../plan/side-servers.js';
import { commitNamed } from '../system/git.js';

/** name@version, with a scope or without; no version begins with "{", which is git's `main@{upstream}`. */
const ONE = /^((?:@[\w~][\w.~-]*\/)?[\w~][\w.~-]*)@([\w.^~<>=*+-]+)$/;
const RUNTIME_VERSION = /^\d+(\.\d+){0,2}$/;

/** @typedef {{ server: Server, project: ReturnType<typeof dependenciesOf> }} Use */
/** What a server has on the base only. @typedef {Pick<Server, 'packages' | 'version'>} Others */

/** Versions by name, where it names any. @type {(against: string) => Record<string, string> | undefined} */
export function parseVersions(against) {
  const parts = against.split(',').map((part) => ONE.exec(part.trim()));
  if (parts.some((part) => part === null)) return undefined;
  return Object.fromEntries(parts.map((part) => [part?.[1], part?.[2]]));
}

/**
 * @param {Config} config
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} context
 * @returns {Promise<{ config: Config, sides: Side[], warnings: Warning[] } | undefined>} undefined where
 *   `against` is something else; config: with only the servers that use one of the packages or runtimes
 * @throws {UserError} with every name that no server uses, and every version that does not exist
 */
export async function sidesWithVersions(config, { cwd, env }) {
  const { against = '', reference } = config;
  const wanted = parseVersions(against);
  if (!wanted || (await commitNamed(against, cwd))) return undefined;
  const used = config.servers
    .filter(({ id }) => id !== reference?.id)
    .map((server) => ({ server, project: dependenciesOf(server.folder) }));
  const versions = await exactVersions(wanted, { against, used, env });
  const all = used.map((use) => ({ ...use, others: othersOf(use, versions) }));
  const changed = all.filter(({ others }) => others.packages ?? others.version);
  if (changed.length === 0)
    throw new UserError(`--against ${against}: that is what is installed already; name another version`);
  // Both sides are installed, also where perf.yml installs nothing: what is here serves one version only.
  const head = changed.map(({ server }) => ({ ...server, packages: {} }));
  const base = head.map((server, place) => ({ ...server, ...changed[place]?.others }));
  const same = all.filter((use) => !changed.includes(use)).map(({ server }) => server.name);
  const moved = movedOf(changed);
  const own = changed.map(({ server }) => server);
  /** @type {(Warning | false)[]} */
  const warnings = [
    moved.length > 0 && { code: 'packages-moved', packages: moved },
    same.length > 0 && { code: 'same-versions', names: Object.keys(versions), servers: same },
  ];
  return {
    config: onlyServers(config, own),
    sides: [
      { label: 'base', servers: serversById({ servers: base, reference }), versions },
      { label: 'head', servers: serversById({ servers: head, reference }) },
    ],
    warnings: warnings.filter((warning) => warning !== false),
  };
}

/**
 * @param {Record<string, string>} wanted
 * @param {{ against: string, used: Use[], env: NodeJS.ProcessEnv }} context
 * @returns {Promise<Record<string, string>>} exact versions of packages; versions of runtimes as given
 * @throws {UserError} with every mistake
 */
async function exactVersions(wanted, { against, used, env }) {
  const asked = Object.entries(wanted);
  const results = await Promise.allSettled(asked.map((row) => versionOf(row, { used, env })));
  const mistakes = results.flatMap((result) => (result.status === 'rejected' ? result.reason : []));
  const [unforeseen] = mistakes.filter((error) => !(error instanceof UserError));
  if (unforeseen) throw unforeseen;
  if (mistakes.length > 0)
    throw new UserError(mistakes.map(({ message }) => `--against ${against}: ${message}`).join('\n'));
  return Object.fromEntries(results.flatMap((result) => ('value' in result ? [result.value] : [])));
}

/**
 * @type {(asked: [name: string, wanted: string], context: { used: Use[], env: NodeJS.ProcessEnv }) =>
 *   Promise<[name: string, version: string]>}
 */
async function versionOf([name, wanted], { used, env }) {
  const runtime = RUNTIMES[name];
  if (runtime?.version) {
    if (!used.some(({ server }) => server.runtime === name))
      throw new UserError(`no server here runs on ${runtime.label}`);
    if (RUNTIME_VERSION.test(wanted)) return [name, wanted];
    const like = `use one like ${name}@22 or ${name}@22.4.0`;
    throw new UserError(`"${wanted}" is not a version of ${runtime.label}; ${like}`);
  }
  const projects = used.flatMap(({ project }) => project ?? []);
  const project = projects.find(({ versions }) => versions.has(name));
  if (project) return [name, await exactVersion(name, wanted, { folder: project.folder, env })];
  const known = [...new Set(projects.flatMap(({ versions }) => [...versions.keys()]))];
  const hint = nearest(name, known);
  throw new UserError(`there is no such commit, and no package.json of a server names "${name}"${hint}`);
}

/** Empty where the server has them already. @type {(use: Use, versions: Record<string, string>) => Others} */
function othersOf({ server: { runtime, version }, project }, versions) {
  const packages = Object.entries(versions).filter(
    ([name, other]) =>
      !RUNTIMES[name]?.version && project?.versions.has(name) && project.versions.get(name) !== other,
  );
  const other = RUNTIMES[runtime]?.version ? versions[runtime] : undefined;
  return {
    ...(packages.length > 0 && { packages: Object.fromEntries(packages) }),
    ...(other !== undefined && other !== version && { version: other }),
  };
}

/** @param {(Use & { others: Others })[]} changed from which versions to which, where lock files say so */
function movedOf(changed) {
  const rows = changed.flatMap(({ project, others }) =>
    Object.entries(others.packages ?? {}).flatMap(([name, from]) => {
      const to = project?.versions.get(name);
      return to === undefined ? [] : [{ name, from, to }];
    }),
  );
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}
