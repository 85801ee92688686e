/**
 * Resumes an interrupted run, if plan, sources and kind of machine are the same.
 * @import { Plan, Run, Unfinished } from '../types.js'
 * @import { Asked } from './repro-command.js'
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shortHash, snapshot } from '../deploy/source/worktrees.js';
import { UserError } from '../model/errors.js';
import { tryGit } from '../system/git.js';
import { describeMachine } from '../observe/machine.js';
import { redactedCases } from '../secrets/secrets.js';
import { readRun } from '../store/run-file.js';
import { SIDES } from '../store/result-files.js';

/** Options that may hold a secret, and the one that names the folder. */
const NOT_KEPT = ['header', 'body', 'resume'];

/** @param {Asked} options @returns {Unfinished['options']} those that were given and may be stored */
export function keptOptions(options) {
  const kept = givenOptions(options).filter(([name]) => !NOT_KEPT.includes(name));
  return /** @type {Unfinished['options']} */ (Object.fromEntries(kept));
}

/**
 * @param {Asked} options with resume, the results folder; header and body may hold secrets and are given again
 * @param {'run' | 'search'} kind of what was interrupted
 * @throws {UserError} where any other option is given
 */
export function refuseOptions({ resume, header: _, body: __, ...rest }, kind) {
  const [extra] = givenOptions(rest).flat();
  if (extra !== undefined)
    throw new UserError(
      `--resume ${resume}: takes the options of the interrupted ${kind}; remove --${extra}`,
    );
}

/** @param {Asked} options */
function givenOptions(options) {
  return Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
}

/** options: of the run, with its seed; runs: one per side. @typedef {{ options: Asked, runs: Run[], unfinished: Unfinished }} Interrupted */

/**
 * @param {Asked} options of `run`; resume: the results folder
 * @param {string} cwd
 * @returns {Promise<Interrupted>}
 * @throws {UserError} where other options are given, or the folder holds no unfinished run of this machine
 */
export async function readInterrupted({ json, ...options }, cwd) {
  refuseOptions(options, 'run');
  const { resume: dir, header, body } = options;
  const read = (/** @type {string} */ name) => readRun(resolve(cwd, String(dir), name));
  const head = await read(SIDES[0]);
  const base = existsSync(resolve(cwd, String(dir), SIDES[1])) ? await read(SIDES[1]) : undefined;
  // The base of another session is a stored run, which a cancelled run leaves beside its own.
  const runs = base?.session === head.session ? [base, head] : [head];
  const { unfinished, seed, environment } = head;
  if (unfinished === undefined)
    throw new UserError(`--resume ${dir}: its run has finished; start another one without --resume`);
  if (environment.fingerprint !== describeMachine({ runtimes: {}, tools: {} }).fingerprint)
    throw new UserError(
      `--resume ${dir}: its run was measured on another kind of machine; resume it there, or start another one without --resume`,
    );
  return {
    options: { ...unfinished.options, seed: String(seed), out: dir, json, header, body },
    runs,
    unfinished,
  };
}

/**
 * @param {Plan} plan
 * @param {{ cwd: string, out: string, options: Asked }} context out: the results folder, absolute
 * @returns {Promise<Unfinished>} what a later session needs to resume this one
 */
export async function describeUnfinished(plan, { cwd, out, options }) {
  const { cases, order, seed, maxRunning, budgetSeconds, sides } = plan;
  // A server's place may differ; its environment and headers may hold secrets.
  const servers = sides.map(({ label, revision, servers: there }) => [
    label,
    revision?.sha,
    Object.values(there).map(({ folder: _, buildDir: __, origin: ___, env: ____, routes, ...server }) => ({
      ...server,
      routes: routes.map(({ id, path, expect }) => ({ id, path, expect })),
    })),
  ]);
  const planned = JSON.stringify([redactedCases(cases), order, seed, maxRunning, budgetSeconds, servers]);
  const top = await tryGit(cwd, 'rev-parse', '--show-toplevel');
  const isCommitted = top && (await tryGit(top, 'rev-parse', '--verify', '--quiet', 'HEAD'));
  return {
    planned: order.flat(2).length,
    plan: shortHash(planned),
    ...(isCommitted && { sources: (await snapshot(top, out)).commit }),
    options: keptOptions(options),
  };
}

/**
 * @param {Unfinished} then
 * @param {Unfinished} now
 * @param {string} dir
 * @throws {UserError} where sources or plan have changed
 */
export function requireSame(then, now, dir) {
  const refuse = (/** @type {string} */ what, /** @type {string} */ mend) => {
    throw new UserError(
      `--resume ${dir}: the ${what} changed since its run was interrupted; ${mend}, or start another run without --resume`,
    );
  };
  if (then.sources !== now.sources) refuse('sources', 'check out what it measured');
  if (then.plan !== now.plan) refuse('plan', 'restore perf.yml, give --header and --body again');
}
