/**
 * Stores the runs of the main branch, and finds them for pull requests.
 * @import { Run } from '../../types.js'
 * @import { Outputs } from '../contract/outputs.js'
 */

import { cpSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UserError } from '../../model/errors.js';
import { oneOf, parseCount } from '../../model/units.js';
import { KEPT } from '../../history/baselines.js';
import { keepOnBranch, keepRun, whyUnusable } from '../../history/past-runs.js';
import { withBranch } from '../../history/branch.js';
import { isCounted } from '../../report/document/counted.js';
import { isSkipped } from '../../store/skipped.js';
import { isFolder } from '../../system/folder.js';
import { findAcceptance } from '../comment/accept.js';
import { repositoryUrl, withCredentials } from '../credentials.js';
import { isOfMain } from '../event.js';
import { DEFAULT_KEY, keyOf, readInputs } from '../contract/inputs.js';
import { notice } from '../step-log.js';

const STORES = /** @type {const} */ (['off', 'branch', 'cache']);

/** The branch of the default comment-key, also the folder of a branch's files in a job. */
const BRANCH = 'perf-baselines';

/** The folder of stored runs, if any are. @type {(env: NodeJS.ProcessEnv) => Promise<string | undefined>} */
export async function findStored(env) {
  const { store } = settingsOf(env);
  if (store === 'off') return undefined;
  const folder = folderOf(store, env);
  if (store === 'branch') {
    await rm(folder, { recursive: true, force: true });
    await tolerate('No stored runs to compare with', () =>
      withBranch(branchOf(env), async (dir) =>
        cpSync(dir, folder, { recursive: true, filter: (file) => basename(file) !== '.git' }),
      ),
    );
  }
  return isFolder(folder) && readdirSync(folder).length > 0 ? folder : undefined;
}

/** Why nothing is compared, if the job stores runs. @type {(env: NodeJS.ProcessEnv) => string | undefined} */
export function whyNoneStored(env) {
  const { store } = settingsOf(env);
  return store === 'off' ? undefined : `no run is stored yet (baseline-store: ${store})`;
}

/**
 * Stores a run of the main branch's tip. Where that fails a notice says so, and the job goes on.
 * @param {NodeJS.ProcessEnv} env of a step
 * @param {Run} run
 * @returns {Promise<Outputs<'baseline'> | undefined>}
 */
export async function storeRun(env, run) {
  const { store, keep: count } = settingsOf(env);
  if (store === 'off' || !isOfMain(env) || isSkipped(run) || isCounted(run)) return undefined;
  const { sha } = run.revision;
  if (sha !== undefined && sha !== env.GITHUB_SHA) return undefined;
  const { gate } = run;
  // A failed run is a base only if accepted.
  const accepted = gate?.failed.length ? await findAcceptance(env) : undefined;
  const stored = gate && accepted ? { ...run, gate: { ...gate, accepted } } : run;
  const kept = await tolerate('This run was not stored as a baseline', () =>
    store === 'branch'
      ? keepOnBranch(stored, branchOf(env), count)
      : keepRun(stored, folderOf(store, env), count),
  );
  if (kept === undefined) return undefined;
  const why = whyUnusable([run]);
  if (why) notice(why);
  return { 'baseline-path': kept, cache: String(store === 'cache') };
}

/**
 * @type {(env: NodeJS.ProcessEnv) => { store: typeof STORES[number], keep: number }}
 * @throws {UserError} for an unknown store, and for a history that is not a count
 */
export function settingsOf(env) {
  const { 'baseline-store': store = 'off', 'baseline-history': keep = String(KEPT) } = readInputs(env);
  return { store: oneOf(store, STORES, 'baseline-store'), keep: parseCount(keep, 'baseline-history') };
}

/**
 * GitHub's cache finds entries by the path saved from, and restores there: all machines need the same one.
 * @type {(store: typeof STORES[number], env: NodeJS.ProcessEnv) => string}
 */
function folderOf(store, env) {
  if (store === 'branch') return join(env.RUNNER_TEMP || tmpdir(), BRANCH);
  const cache = join(homedir(), '.cache/perf-action/baselines');
  return join(cache, String(env.GITHUB_REPOSITORY), keyOf(readInputs(env)));
}

/**
 * Jobs with different keys measure different things, as in a matrix of Node versions.
 * @type {(env: NodeJS.ProcessEnv) => { remote: string, branch: string, env: NodeJS.ProcessEnv }}
 */
function branchOf(env) {
  const key = keyOf(readInputs(env));
  const branch = key === DEFAULT_KEY ? BRANCH : `${BRANCH}-${key}`;
  return { remote: repositoryUrl(env), branch, env: withCredentials(env) };
}

/** @type {<T>(consequence: string, action: () => Promise<T>) => Promise<T | undefined>} */
async function tolerate(consequence, action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    notice(`${consequence}: ${error.message}`);
    return undefined;
  }
}
