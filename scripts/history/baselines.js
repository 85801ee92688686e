/**
 * Stored runs to compare with: a folder for each preset and kind of machine, and a file for each run in it.
 * @import { Run } from '../types.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../model/errors.js';
import { readRun, writeRun } from '../store/run-file.js';

/** How many runs of the same cases are kept of each kind of machine, where nothing else is said. */
export const KEPT = 20;

/**
 * runs: the latest first; broken: a line for each file that cannot be read, which never keeps anyone from the others
 * @typedef {{ file: string, run: Run }} Baseline
 * @typedef {{ baselines: Baseline[], broken: string[] }} Baselines
 */

/**
 * Stored beside the earlier ones; of those with a case in common only the latest stay. Two that store at once write
 * two files.
 * @param {Run} run
 * @param {string} dir made where it is missing
 * @param {number} [keep] how many stay, this one included
 * @returns {Promise<string>} the file
 * @throws {UserError} for a run in which nothing was measured: nothing can be compared with it
 */
export async function saveBaseline(run, dir, keep = KEPT) {
  const measured = run.cases.some(({ trials }) =>
    trials.some(({ failure, windows }) => failure === null && windows.length > 0),
  );
  if (!measured) throw new UserError(`run ${run.id} measured nothing without a failure; save another one`);
  const folder = join(dir, fileName(`${run.preset ?? 'run'}-${run.environment.fingerprint}`));
  const file = fileName(`${run.startedAt.replaceAll(':', '')}-${run.id}.json`);
  await writeRun(folder, withoutNeighbours(run), file);
  const saved = join(folder, file);
  const others = (await readAll(filesIn(folder))).baselines.filter((other) => other.file !== saved);
  const alike = [...others.filter((other) => shareCases(run, other.run)), { file: saved, run }];
  for (const { file: old } of alike.sort(latestFirst).slice(keep)) if (old !== saved) await rm(old);
  return saved;
}

/**
 * Stored runs are committed and published: how much of the machine other programs took stays, their names do not.
 * @param {Run} run
 * @returns {Run}
 */
function withoutNeighbours({ warnings, ...run }) {
  const kept = warnings?.filter(({ code }) => code !== 'machine-shared');
  const cases = run.cases.map((of) => ({
    ...of,
    trials: of.trials.map((trial) => ({
      ...trial,
      windows: trial.windows.map(({ others: _names, ...window }) => window),
    })),
  }));
  return { ...run, ...(kept?.length && { warnings: kept }), cases };
}

/**
 * @param {string} dir
 * @returns {Promise<Baselines>} none where there is no such folder
 */
export async function readBaselines(dir) {
  if (!existsSync(dir)) return { baselines: [], broken: [] };
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return readAll([...filesIn(dir), ...folders.flatMap(({ name }) => filesIn(join(dir, name)))]);
}

/**
 * The reference is in every run and tells nothing.
 * @param {Pick<Run, 'cases'>} run
 * @param {Pick<Run, 'cases'>} other
 * @returns {boolean} whether the two can be compared at all
 */
export function shareCases(run, other) {
  const [own, theirs] = [run, other].map(({ cases }) => {
    const others = cases.filter(({ reference }) => !reference);
    return (others.length > 0 ? others : cases).map(({ id }) => id);
  });
  const known = new Set(own);
  return theirs?.some((id) => known.has(id)) ?? false;
}

/**
 * @param {string[]} files
 * @returns {Promise<Baselines>}
 */
async function readAll(files) {
  /** @type {Baselines} */
  const all = { baselines: [], broken: [] };
  for (const file of files) {
    try {
      all.baselines.push({ file, run: await readRun(file) });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      all.broken.push(error.message);
    }
  }
  all.baselines.sort(latestFirst);
  return all;
}

/** @param {Baseline} a @param {Baseline} b */
function latestFirst(a, b) {
  return b.run.startedAt.localeCompare(a.run.startedAt) || a.file.localeCompare(b.file);
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/**
 * A preset's name, or the fingerprint in another program's file, may hold what a file's name must not.
 * @param {string} text
 */
function fileName(text) {
  return text.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '-');
}
