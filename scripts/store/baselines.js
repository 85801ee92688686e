/**
 * Stored runs to compare with, one a profile and kind of machine.
 * @import { Run } from '../types.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.js';
import { readRun, writeRun } from './run-file.js';

/** @typedef {{ file: string, startedAt: string, label?: string, sha?: string, fingerprint: string, servers: string[], cpuModel: string }} Baseline */

/**
 * Replaces the one that was stored for the same profile and kind of machine.
 * @param {Run} run
 * @param {string} dir made where it is missing
 * @returns {Promise<string>} the file
 * @throws {UserError} for a run in which nothing was measured: nothing can be compared with it
 */
export async function saveBaseline(run, dir) {
  const measured = run.cases.some(({ trials }) =>
    trials.some(({ failure, windows }) => failure === null && windows.length > 0),
  );
  if (!measured) throw new UserError(`run ${run.id} measured nothing without a failure; save one that did`);
  const name = `${run.profile ?? 'run'}-${run.environment.fingerprint}`;
  // A profile's name, or the fingerprint in another program's file, may hold what a file's name must not.
  const file = `${name.replaceAll(/[^\w.-]+/g, '-')}.json`;
  await writeRun(dir, run, file);
  return join(dir, file);
}

/**
 * @param {string} dir
 * @returns {Promise<Baseline[]>} the latest first; none where there is no such folder
 * @throws {UserError} for a file in it that is no run file
 */
export async function listBaselines(dir) {
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : [];
  const found = await Promise.all(names.map((name) => describe(join(dir, name))));
  return found.sort((a, b) => b.startedAt.localeCompare(a.startedAt) || a.file.localeCompare(b.file));
}

/**
 * @param {string} file
 * @returns {Promise<Baseline>}
 */
async function describe(file) {
  const { startedAt, revision, environment, cases } = await readRun(file);
  const { label, sha } = revision;
  return {
    file,
    startedAt,
    ...(label !== undefined && { label }),
    ...(sha !== undefined && { sha }),
    fingerprint: environment.fingerprint,
    servers: [...new Set(cases.map(({ server }) => server))],
    cpuModel: environment.cpuModel,
  };
}
