/**
 * What the base's own perf.yml asks for: a change must not loosen unnoticed what it is judged by.
 * @import { Case, Config, Warning } from '../types.js'
 */

import { join, relative } from 'node:path';
import { rulesWithBase } from '../config/base-rules.js';
import { readRules } from '../config/rules.js';
import { addWorktree } from '../deploy/source/detached-worktree.js';
import { resolveRef } from '../deploy/source/worktrees.js';
import { unlessMistaken } from '../model/attempt.js';
import { defined } from '../model/defined.js';
import { limitedCases } from '../model/limited-cases.js';
import { noLongerRelevant } from '../plan/relevant.js';
import { asNamedIn } from '../plan/side-servers.js';
import { placeInside } from '../system/folder.js';
import { tryGit } from '../system/git.js';
import { ROOT, thisProcess } from '../system/this-project.js';
import { readRunConfig } from './run-config.js';

/**
 * @param {Config} config the head's
 * @param {{ cwd: string, top: string, folder: string }} places cwd, top: the head's working directory and
 *   repository; folder: a checkout of the base
 * @returns {Promise<{ config: Config, warnings: Warning[] }>} config: judged by the base's perf.yml, if any
 */
export async function asBaseAsks(config, { cwd: here, top, folder }) {
  const asIs = { config, warnings: [] };
  const place = placeInside(top, here);
  const { asked: options, commit } = config;
  // A search compares commits as this working tree asks, and so does a capacity.
  if (commit !== undefined || options.capacity || place === undefined) return asIs;
  const cwd = join(folder, place);
  const base = unlessMistaken(() => readRules({ options, cwd, root: ROOT, caller: thisProcess() }));
  // One that an absolute path names is the head's, too.
  if (base?.file === undefined || relative(folder, base.file).startsWith('..')) return asIs;
  const { rules, looser } = rulesWithBase(config, base);
  // Unknown are the requests of a base whose servers cannot be read, and of a server that only the head has.
  const described = unlessMistaken(() => asNamedHere(readRunConfig(options, cwd), { top, folder }));
  const judged = { ...config, ...rules, cases: [...config.cases, ...limitedOnly(rules, config, described)] };
  const listed = (await tryGit(top, 'ls-files', '-z'))?.split('\0').filter(Boolean) ?? [];
  const [file, ...files] = described ? noLongerRelevant(config, described, listed) : [];
  const routes = (described?.cases ?? [])
    .filter((planned) => !planned.reference && !twinIn(config, planned))
    .map(({ server, route }) => `${server} ${route}`);
  const lost = defined({
    settings: looser.length > 0 ? looser : undefined,
    routes: routes.length > 0 ? [...new Set(routes)] : undefined,
    ...(file !== undefined && { file, files: files.length + 1 }),
  });
  const isLooser = Object.keys(lost).length > 0;
  return { config: judged, warnings: isLooser ? [{ code: 'looser-than-base', ...lost }] : [] };
}

/**
 * The same for a base that is not checked out.
 * @param {string} ref
 * @param {Config} config the head's
 * @param {{ cwd: string, scratch: string }} places scratch: a folder that is not there yet
 * @throws {Error} where there is no such commit, or git fails
 */
export async function asCommitAsks(ref, config, { cwd, scratch }) {
  const { top, sha } = await resolveRef(ref, cwd);
  const folder = join(scratch, 'tree');
  await addWorktree(top, { tree: folder, gitDir: join(scratch, 'git'), commit: sha });
  return asBaseAsks(config, { cwd, top, folder });
}

/** @type {(base: Config, places: { top: string, folder: string }) => Config} */
function asNamedHere(base, { top, folder }) {
  const servers = base.servers.map((server) => asNamedIn(top, server, folder));
  const cases = base.cases.map((planned) => {
    const server = servers[base.servers.findIndex(({ id }) => id === planned.server)]?.id ?? planned.server;
    return { ...planned, server, id: planned.id.replace(planned.server, () => server) };
  });
  return { ...base, servers, cases };
}

/**
 * Cases at the rate of a limit that the head no longer has.
 * @type {(rules: Pick<Config, 'limits'>, head: Config, base: Config | undefined) => Case[]}
 */
function limitedOnly({ limits = [] }, head, base) {
  return (base?.cases ?? []).flatMap((planned) => {
    const twin = twinIn(head, planned);
    const isLimited = limits.some((rule) => rule.rate && limitedCases(rule, [planned]).length > 0);
    const isMeasured = head.cases.some(({ id }) => id === planned.id);
    return twin && isLimited && !isMeasured && !head.counts ? { ...planned, request: twin.request } : [];
  });
}

/** A case of the same route. @type {(config: Pick<Config, 'cases'>, planned: Case) => Case | undefined} */
function twinIn({ cases }, { server, route }) {
  return cases.find((each) => each.server === server && each.route === route);
}
