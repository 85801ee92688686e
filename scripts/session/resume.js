/**
 * Resumes an interrupted run, if plan, sources and kind of machine are the same.
 * @import { Asked, Config, Plan, Run, Unfinished } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shortHash, snapshot } from '../deploy/source/worktrees.js';
import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { tryGit } from '../system/git.js';
import { describeMachine } from '../observe/machine.js';
import { redactedCases } from '../secrets/secrets.js';
import { readRunConfig } from './config.js';
import { SIDES, UNFINISHED } from '../store/result-files.js';
import { readResults } from './results.js';

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

/** facts: those that the resumed run keeps; runs: one per side. @typedef {{ facts: { session: string, command?: string }, seed: number | undefined, runs: Run[], unfinished: Unfinished }} Interrupted */

/**
 * @param {string} dir the results folder
 * @param {string} cwd
 * @returns {Promise<Interrupted>}
 * @throws {UserError} where the folder holds no unfinished run of this machine
 */
export async function readInterrupted(dir, cwd) {
  const out = resolve(cwd, dir);
  // A run that was cancelled has ended, and left its files where reports read them.
  const isKilled = existsSync(join(out, UNFINISHED, SIDES[0]));
  const { run: head, base } = await readResults(isKilled ? join(out, UNFINISHED) : out);
  // The base of another session is a stored run, which a cancelled run leaves beside its own.
  const runs = base?.session === head.session ? [base, head] : [head];
  const { unfinished, seed, session, command, environment } = head;
  if (unfinished === undefined)
    throw new UserError(`--resume ${dir}: its run has finished; start another one without --resume`);
  if (environment.fingerprint !== describeMachine({ runtimes: {}, tools: {} }).fingerprint)
    throw new UserError(
      `--resume ${dir}: its run was measured on another kind of machine; resume it there, or start another one without --resume`,
    );
  return { facts: defined({ session, command }), seed, runs, unfinished };
}

/**
 * @param {Asked} options of `run`; resume: the results folder
 * @param {string} cwd
 * @returns {Promise<Config>} of the interrupted run
 * @throws {UserError} where other options are given, or the folder holds no unfinished run of this machine
 */
export async function readResumed({ json, ...options }, cwd) {
  refuseOptions(options, 'run');
  const { resume, header, body } = options;
  const out = String(resume);
  const { seed, unfinished } = await readInterrupted(out, cwd);
  const asked = { ...unfinished.options, json, header, body };
  return { ...readRunConfig({ ...asked, seed: String(seed), out }, cwd), asked, resume: true };
}

/**
 * Removes what a killed run left in the results folder, unless that run goes on.
 * @param {Plan} plan
 * @param {{ cwd: string, out: string, config: Config, interrupted: Interrupted | undefined }} context out: absolute
 * @returns {Promise<Unfinished>} what the run files say until all is measured
 * @throws {UserError} where sources or plan of the interrupted run have changed
 */
export async function startFolder(plan, { cwd, out, config, interrupted }) {
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
  const unfinished = {
    planned: order.flat(2).length,
    plan: shortHash(planned),
    ...(isCommitted && { sources: (await snapshot(top, out)).commit }),
    options: keptOptions(config.asked),
  };
  const requireSame = (/** @type {'sources' | 'plan'} */ what, /** @type {string} */ mend) => {
    if (interrupted && interrupted.unfinished[what] !== unfinished[what])
      throw new UserError(
        `--resume ${config.out}: the ${what} changed since its run was interrupted; ${mend}, or start another run without --resume`,
      );
  };
  requireSame('sources', 'check out what it measured');
  requireSame('plan', 'restore perf.yml, give --header and --body again');
  if (!interrupted) await rm(join(out, UNFINISHED), { recursive: true, force: true });
  return unfinished;
}
