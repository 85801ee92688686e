/**
 * Run files on disk, ours and other programs'.
 * @import { Load, Run, RunCase, Trial } from '../types.js'
 */

import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';
import { readSchema } from './schema.js';
import { summarize } from './summary.js';

/**
 * What the schema asks for and may leave out.
 * @typedef {Omit<Trial, 'round'> & { round?: number }} StoredTrial
 * @typedef {Partial<RunCase> & { id: string, load: Partial<Load>, trials: StoredTrial[] }} StoredCase
 * @typedef {Omit<Run, 'cases' | 'session' | 'finishedAt'> & { session?: string, finishedAt?: string, cases: StoredCase[] }} StoredRun
 */

/** @type {import('./json-file.js').Kind<StoredRun>} */
const KIND = {
  version: 'perf-action/run@1',
  check: readSchema('run.schema.json'),
  make: '`perf-action run` makes a run file',
};

/**
 * @param {string} file
 * @param {import('./json-file.js').Bounds} [bounds] of a file that a stranger may have written
 * @returns {Promise<Run>}
 * @throws {import('../errors.js').UserError} where it is missing, empty, no JSON, of another version, of a wrong shape or
 *   beyond all measure
 */
export async function readRun(file, bounds) {
  const run = await readJson(file, KIND, bounds);
  return {
    ...run,
    session: run.session ?? run.id,
    finishedAt: run.finishedAt ?? run.startedAt,
    cases: run.cases.map(completeCase),
  };
}

/**
 * @param {string} dir made where it is missing
 * @param {Run} run
 * @param {string} [name]
 * @returns {Promise<void>} when the file is there whole
 * @throws {import('../errors.js').UserError} where the folder cannot be written to
 */
export function writeRun(dir, run, name = 'run.json') {
  return writeJson(join(dir, name), run);
}

/**
 * Other programs may know no more than who answered how much; the rest follows from that, or is told as unknown.
 * @param {StoredCase} stored
 * @returns {RunCase}
 */
function completeCase(stored) {
  const { id, server = id, serverName = server, route = '/', instances = 1 } = stored;
  const [path = '/', method = 'GET'] = route.split(' ').reverse();
  const windows = stored.trials[0]?.windows ?? [];
  const durationSeconds = windows.reduce((total, { seconds }) => total + seconds, 0);
  const told = { durationSeconds };
  const load = /** @type {Load} */ ({ ...told, ...stored.load });
  const trials = stored.trials.map((trial, index) => ({ ...trial, round: trial.round ?? index }));
  const summary = stored.summary ?? summarize(trials, { ...stored, load });
  return {
    request: { method, path, headers: {} },
    ...stored,
    ...{ server, serverName, route, instances, load, trials },
    ...(summary && { summary }),
  };
}
