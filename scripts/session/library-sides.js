/**
 * The sides of a run of packages (`library` in perf.yml): the same servers with the packages of two commits,
 * or with a package from elsewhere, as in `--against express@file:../fork`.
 * @import { Config, Run, Server, Warning } from '../types.js'
 * @import { Made } from '../deploy/source/fetch-library.js'
 * @import { Measured } from './sides.js'
 */

import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { treeOf } from '../deploy/source/tree-record.js';
import { fetchPackage, libraryAt } from '../deploy/source/fetch-library.js';
import { resolveRef, snapshot } from '../deploy/source/worktrees.js';
import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { isConfigurationChanged, onlyServers, relevantServers } from '../plan/relevant.js';
import { readIfThere } from '../system/bounded-file.js';
import { placeInside } from '../system/folder.js';
import { changedFiles } from '../system/git.js';
import { readManifest } from '../system/workspaces.js';
import { asBaseAsks } from './base-config.js';
import { requireFit, requireSameNames, serversWith } from './library-checks.js';
import { parseVersions } from './other-versions.js';

/** name@file:../fork; npm knows addresses, too. */
const ELSEWHERE =
  /^((?:@[\w~][\w.~-]*\/)?[\w~][\w.~-]*)@((file|git|git\+\w+|github|gitlab|bitbucket|https?):.+)$/;

/** @type {State} */
const INSTALLED = { named: 'the servers' };

/**
 * @typedef {object} State the packages of one side
 * @property {string} named the side, as messages call it
 * @property {Made} [made] absent: what the servers have installed
 * @property {string} [of] where they come from, unless from a commit
 * @property {Run['revision']} [revision]
 */

/**
 * @param {Pick<Config, 'against' | 'library'>} config
 * @returns {{ name: string, spec: string, of: string } | undefined} the package that `against` names: one
 *   from elsewhere, or a published version of one in `library`; spec: as npm reads it; of: as reports call it
 * @throws {UserError} for one that is not in `library`, or has an address
 */
export function otherPackage({ against = '', library = [] }) {
  const own = library.map((folder) => readManifest(folder, readIfThere).name);
  const [, name, spec, kind] = ELSEWHERE.exec(against) ?? [];
  if (name !== undefined && spec !== undefined) {
    // The address may have a password.
    if (kind !== 'file')
      throw new UserError(
        `--against: a package is not measured from an address; clone or download ${name}, and use ${name}@file:FOLDER`,
      );
    if (own.length === 0 || own.includes(name)) return { name, spec, of: spec.replace(/^file:/, '') };
    throw new UserError(
      `--against ${against}: the package under test is ${own.join(' and ')}; give its name to the other one, or leave library out`,
    );
  }
  const [version, ...more] = Object.entries(parseVersions(against) ?? {});
  if (!version || more.length > 0 || !own.includes(version[0])) return undefined;
  return { name: version[0], spec: against, of: version[1] };
}

/**
 * @param {Measured} plain the sides, whose servers have what they install
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, base: 'commit' | 'package' | 'head' }} context base: what
 *   `against` names; head: the same packages on all sides
 * @returns {Promise<Measured>} config: with only the servers that have the packages, and may be affected
 * @throws {import('../model/errors.js').UserError} for what cannot be had, no server has, or does not fit
 */
export async function withLibrary({ config: given, sides, warnings }, context) {
  const { top, base, head, changed } = await statesOf(given, context);
  const folder = context.base === 'commit' ? base.made?.library.buildDir : undefined;
  const asked = folder && (await asBaseAsks(given, { ...context, top, folder: treeOf(folder) }));
  const { config, warnings: looser } = asked || { config: given, warnings: [] };
  const names = Object.keys({ ...base.made?.ranges, ...head.made?.ranges });
  const having = serversWith(names, config);
  for (const state of [base, head]) requireFit(state, having);
  const touched = changed ? affected(having, { config, top, changed, states: [base, head] }) : having;
  const ids = touched.map(({ id }) => id);
  const places = touched.map((server) => placeInside(top, server.folder) || server.id);
  const library = { packages: names, servers: places };
  const except = (/** @type {Server[]} */ all, /** @type {Server[]} */ some) =>
    all.flatMap((server) => (some.includes(server) ? [] : server.name));
  const without = except(config.servers, having);
  const untouched = except(having, touched);
  /** @type {(Warning | false)[]} */
  const missing = [
    without.length > 0 && { code: 'not-installed', servers: without, names },
    untouched.length > 0 && { code: 'not-touched', servers: untouched },
  ];
  const found = [...warnings, ...looser, ...movedRanges(base, head), ...missing];
  return {
    config: onlyServers(config, touched),
    sides: sides.map((side) => {
      const { made, of, revision } = side.label === 'base' ? base : head;
      const like = made !== head.made && head.made && { like: head.made.library };
      const placed = Object.entries(side.servers).map(([id, server]) => [
        id,
        made && ids.includes(id) ? { ...server, library: { ...made.library, ...like } } : server,
      ]);
      const own = made && { library: defined({ ...library, of }) };
      return {
        ...side,
        servers: Object.fromEntries(placed),
        ...((revision ?? own) && { revision: { ...revision, ...own } }),
      };
    }),
    warnings: found.filter((warning) => warning !== false),
  };
}

/**
 * top: the repository, or the working directory; changed: files that differ
 * @type {(config: Config, context: Parameters<typeof withLibrary>[1]) =>
 *   Promise<{ top: string, base: State, head: State, changed?: string[] }>}
 */
async function statesOf(config, { cwd, env, base }) {
  const { against = '', library = [], commit } = config;
  const [first] = library;
  const out = resolve(cwd, config.out);
  const other = base === 'package' ? otherPackage(config) : undefined;
  const fetched = other && { of: other.of, made: await fetchPackage(other, { cwd, env, out }) };
  const elsewhere = fetched && { named: against, ...fetched };
  if (first === undefined) return { top: cwd, base: elsewhere ?? INSTALLED, head: INSTALLED };
  const { top, sha } = await resolveRef(base === 'commit' ? against : 'HEAD', first, 'library');
  const folders = library.map((folder) => relative(top, realpathSync(folder)));
  const stateOf = async (/** @type {string} */ of, /** @type {string} */ named) => ({
    named,
    made: await libraryAt(of, { top, folders, env, named }),
  });
  const current = commit === undefined ? await snapshot(top, out) : { commit, revision: { sha: commit } };
  const now = await stateOf(current.commit, commit ?? 'the working tree');
  const head = { ...now, revision: current.revision };
  if (base !== 'commit') return { top, base: elsewhere ?? head, head };
  const before = { ...(await stateOf(sha, against)), revision: { sha, ref: against } };
  requireSameNames(before, head, folders);
  return { top, base: before, head, changed: await changedFiles(top, sha, current.commit) };
}

/**
 * A server without `paths` is affected by the files of the packages, and by its own.
 * @param {Server[]} servers
 * @param {{ config: Config, top: string, changed: string[], states: State[] }} change
 */
function affected(servers, { config, top, changed, states }) {
  if (isConfigurationChanged(config, { top, changed })) return servers;
  const packages = states.flatMap(
    ({ made }) => made?.library.packages.flatMap(({ folder }) => folder ?? []) ?? [],
  );
  const described = servers.map((server) => {
    const folders = [...packages, placeInside(top, server.folder) ?? []].flat();
    return { ...server, paths: server.paths ?? folders.map((folder) => (folder ? `${folder}/**` : '**')) };
  });
  const ids = relevantServers({ ...config, servers: described }, changed).map(({ id }) => id);
  return servers.filter(({ id }) => ids.includes(id));
}

/** What the packages ask for that the base did not. @type {(base: State, head: State) => Warning[]} */
function movedRanges({ made: base }, { made: head }) {
  return Object.entries(head?.ranges ?? {}).flatMap(([name, { dependencies: after = {} }]) => {
    const before = base?.ranges[name]?.dependencies;
    if (before === undefined) return [];
    const packages = Object.keys({ ...before, ...after })
      .filter((each) => before[each] !== after[each])
      .map((each) => defined({ name: each, from: before[each], to: after[each] }));
    return packages.length > 0
      ? [{ code: /** @type {const} */ ('packages-moved'), lock: `${name}/package.json`, packages }]
      : [];
  });
}
