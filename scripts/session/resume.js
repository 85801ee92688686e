/**
 * Resumes an interrupted run, if plan, sources and kind of machine are the same.
 * @import { Plan, Run, Unfinished } from '../types.js'
 * @import { Asked } from './repro-command.js'
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { snapshot } from '../deploy/source/worktrees.js';
import { UserError } from '../model/errors.js';
import { tryGit } from '../system/git.js';
import { describeMachine } from '../observe/machine.js';
import { toldCases } from '../secrets/secrets.js';
import { readRun } from '../store/run-file.js';
import { SIDES } from './results.js';

/** Options that may hold a secret, and the one that names the folder. */
const NOT_KEPT = new Set(['header', 'body', 'resume']);

/** @param {Asked} options @returns {Unfinished['options']} those that were given and may be stored */
export function keptOptions(options) {
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && value !== '' && !NOT_KEPT.has(name),
  );
  return /** @type {Unfinished['options']} */ (Object.fromEntries(given));
}

/** options: of the run, with its seed; runs: one per side. @typedef {{ options: Asked, runs: Run[], unfinished: Unfinished }} Interrupted */

/**
 * @param {Asked} options of `run`; resume: the results folder; header and body may hold secrets and are given again
 * @param {string} cwd
 * @returns {Promise<Interrupted>}
 * @throws {UserError} where other options are given, or the folder holds no unfinished run of this machine
 */
export async function readInterrupted({ resume, json, header, body, ...rest }, cwd) {
  const dir = String(resume);
  const [extra] = Object.entries(rest).find(([, value]) => value !== undefined && value !== '') ?? [];
  if (extra !== undefined)
    throw new UserError(`--resume ${dir}: takes the options of the interrupted run; remove --${extra}`);
  const files = SIDES.map((name) => resolve(cwd, dir, name)).filter(
    (file, side) => side === 0 || existsSync(file),
  );
  const [head, base] = await Promise.all(files.map((file) => readRun(file)));
  const { unfinished, seed, environment } = /** @type {Run} */ (head);
  if (unfinished === undefined)
    throw new UserError(`--resume ${dir}: its run has finished; start another one without --resume`);
  if (environment.fingerprint !== describeMachine({ runtimes: {}, tools: {} }).fingerprint)
    throw new UserError(
      `--resume ${dir}: its run was measured on another kind of machine; resume it there, or start another one without --resume`,
    );
  const runs = /** @type {Run[]} */ (base ? [base, head] : [head]);
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
    Object.values(there).map(({ folder: _, home: __, origin: ___, env: ____, routes, ...server }) => ({
      ...server,
      routes: routes.map(({ id, path, expect }) => ({ id, path, expect })),
    })),
  ]);
  const top = await tryGit(cwd, 'rev-parse', '--show-toplevel');
  const isCommitted = top && (await tryGit(top, 'rev-parse', '--verify', '--quiet', 'HEAD'));
  return {
    planned: order.flat(2).length,
    plan: digest([toldCases(cases), order, seed, maxRunning, budgetSeconds, servers]),
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
  const changes = [
    {
      isSame: then.sources === now.sources,
      change: 'the sources changed',
      mend: 'check out what it measured',
    },
    {
      isSame: then.plan === now.plan,
      change: 'the plan changed',
      mend: 'restore perf.yml, give --header and --body again',
    },
  ];
  const difference = changes.find(({ isSame }) => !isSame);
  if (difference)
    throw new UserError(
      `--resume ${dir}: ${difference.change} since its run was interrupted; ${difference.mend}, or start another run without --resume`,
    );
}

/** @param {unknown} value */
function digest(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
