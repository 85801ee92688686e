/**
 * The sides of a run: one, or base and head of a repository in separate checkouts.
 * @import { Config, Side, Warning } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLock, movedPackages, readLock } from '../deploy/install/lock-file.js';
import { checkOutSides, resolveRef } from '../deploy/source/worktrees.js';
import { makePlan } from '../plan/plan.js';
import { isConfigurationChanged, onlyRelevant } from '../plan/relevant.js';
import { shardCount } from '../plan/shard.js';
import { serversById, serversIn } from '../plan/side-servers.js';
import { readIfThere } from '../system/bounded-file.js';
import { commitNamed } from '../system/git.js';
import { asBaseAsks } from './base-config.js';
import { readRunConfig } from './run-config.js';
import { otherPackage, withLibrary } from './library-sides.js';
import { parseVersions, sidesWithVersions } from './other-versions.js';

/** `--against self` measures one tree twice, for the noise floor. @type {(config: Config) => Side[]} */
export function sidesHere(config) {
  const servers = serversById(config);
  return (config.against === undefined ? ['head'] : ['base', 'head']).map((label) => ({ label, servers }));
}

/**
 * config: with only the servers that the change may affect, perhaps none; changed: files that differ between
 * two commits
 * @typedef {{ config: Config, sides: Side[], warnings: Warning[], changed?: string[] }} Measured
 */

/** Throws a UserError if there is no such commit. @type {(config: Config, cwd: string) => Promise<void>} */
export async function requireOther(config, cwd) {
  const { against = '', library: [place] = [cwd] } = config;
  if (isOtherCommit(config)) await resolveRef(against, place ?? cwd);
}

/** Whether `against` looks like a commit. @type {(config: Pick<Config, 'against' | 'library'>) => boolean} */
export function isOtherCommit(config) {
  const { against } = config;
  return against !== undefined && against !== 'self' && !otherPackage(config) && !parseVersions(against);
}

/**
 * sides: replace those that `against` names
 * @type {(config: Config, at: { cwd: string, env: NodeJS.ProcessEnv, sides?: Side[] }) => Promise<Measured>}
 * @throws {import('../model/errors.js').UserError} where the other side cannot be checked out
 */
export async function sidesOf(config, { cwd, env, sides: given }) {
  const { against, commit, library } = config;
  const isAlone = given !== undefined || against === undefined || against === 'self';
  const alone = { config, sides: given ?? sidesHere(config), warnings: [] };
  const isCommit = !isAlone && (await commitNamed(against, library?.[0] ?? cwd)) !== undefined;
  if (!isAlone && !isCommit && otherPackage(config)) return withLibrary(alone, { cwd, env, base: 'package' });
  const withVersions = isAlone ? alone : await sidesWithVersions(config, { cwd, env });
  if (library)
    return withLibrary(withVersions ?? alone, { cwd, env, base: withVersions ? 'head' : 'commit' });
  if (isAlone) return alone;
  if (withVersions) return withVersions;
  const out = resolve(cwd, config.out);
  const { top, base, head, changed, warnings } = await checkOutSides(against, { cwd, env, out, commit });
  if (parseVersions(against)) warnings.push({ code: 'commit-not-package', ref: against });
  const asked = await asBaseAsks(config, { cwd, top, folder: base.folder });
  warnings.push(...asked.warnings);
  const isConfigured = isConfigurationChanged(config, { top, changed });
  const touched = isConfigured ? asked.config : onlyRelevant(asked.config, changed);
  /** For a checkout other than the working tree. @param {string} folder */
  const elsewhere = (folder) => ({
    readAgain: (/** @type {string} */ place) => readRunConfig(config.asked, place),
    added: changed.filter((file) => !existsSync(join(folder, file))),
  });
  const places = [
    { label: 'base', ...base, ...elsewhere(base.folder) },
    { label: 'head', ...head, ...(commit !== undefined && elsewhere(head.folder)) },
  ];
  const sides = places.map(({ label, revision, ...place }) => {
    const { servers, warnings: notes } = serversIn(touched, { top, cwd, ...place });
    warnings.push(...notes);
    return { label, revision, servers };
  });
  warnings.push(...lockWarnings(changed, base.folder, head.folder));
  const untouched = config.servers.filter((server) => !touched.servers.includes(server));
  if (untouched.length > 0)
    warnings.push({ code: 'not-touched', servers: untouched.map(({ name }) => name) });
  return { config: touched, sides, warnings, changed };
}

/**
 * No changed file affects a server; or this shard is one of more machines than the affected servers need.
 * asked: before unaffected servers were left out.
 * @type {(config: Config, asked: Config, sides: Side[]) => boolean}
 */
export function hasNothingToDo({ shard, ...config }, asked, sides) {
  if (config.servers.length === 0) return true;
  if (!shard || config.servers.length === asked.servers.length) return false;
  return shard.index > shardCount(makePlan(config, sides), shard.of);
}

/** Compares locks of both folders. @type {(changed: string[], base: string, head: string) => Warning[]} */
function lockWarnings(changed, base, head) {
  return changed.filter(isLock).flatMap((lock) => {
    const [before, after] = [base, head].map((folder) => {
      const text = readIfThere(join(folder, lock));
      return text === undefined ? undefined : readLock(lock, text);
    });
    const moved = before && after ? movedPackages(before, after) : { packages: [], indirect: 0 };
    return moved.packages.length > 0 ? [{ code: 'packages-moved', lock, ...moved }] : [];
  });
}
