/**
 * Stored runs to compare with: a folder for each preset and kind of machine holds a file for each run.
 * @import { Case, Run } from '../types.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../model/errors.js';
import { readRun, writeRun } from '../store/run-file.js';

/** How many runs of the same cases stay by default, for each kind of machine. */
export const KEPT = 20;

/** @typedef {{ file: string, run: Run }} Baseline */
/** Latest first; lines on broken files. @typedef {{ baselines: Baseline[], broken: string[] }} Baselines */

/**
 * Stores a run beside the earlier ones and removes the oldest of those that have a case in common with it, so
 * that `keep` stay with this one. Makes the folder where it is missing. Returns the file.
 * @type {(run: Run, dir: string, keep?: number) => Promise<string>}
 * @throws {UserError} for a run in which nothing was measured
 */
export async function saveBaseline(run, dir, keep = KEPT) {
  const measured = run.cases.some(({ trials }) =>
    trials.some(({ failure, windows }) => failure === null && windows.length > 0),
  );
  if (!measured) throw new UserError(`run ${run.id} measured nothing without a failure; save another one`);
  const folder = join(dir, fileName(`${run.preset ?? 'run'}-${run.environment.fingerprint}`));
  const file = fileName(`${run.startedAt.replaceAll(':', '')}-${run.id}.json`);
  await writeRun(folder, withoutPrograms(run), file);
  const saved = join(folder, file);
  const { baselines } = await readAll(filesIn(folder));
  const alike = baselines.filter((other) => other.file === saved || shareCases(run, other.run));
  for (const { file: old } of alike.slice(keep)) if (old !== saved) await rm(old);
  return saved;
}

/**
 * Stored runs are published, so the names of other programs on the machine are left out.
 * @type {(run: Run) => Run}
 */
function withoutPrograms({ warnings, ...run }) {
  const kept = warnings?.filter(({ code }) => code !== 'machine-shared');
  const cases = run.cases.map((runCase) => ({
    ...runCase,
    trials: runCase.trials.map((trial) => ({
      ...trial,
      windows: trial.windows.map(({ others: _names, ...window }) => window),
    })),
  }));
  return { ...run, ...(kept?.length && { warnings: kept }), cases };
}

/** None where there is no such folder. @type {(dir: string) => Promise<Baselines>} */
export async function readBaselines(dir) {
  if (!existsSync(dir)) return { baselines: [], broken: [] };
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return readAll([...filesIn(dir), ...folders.flatMap(({ name }) => filesIn(join(dir, name)))]);
}

/**
 * In the order of the commits: a job that is run again measures an old one.
 * @type {(a: { startedAt: string, committedAt?: string }, b: { startedAt: string, committedAt?: string }) =>
 *   number}
 */
export function oldestFirst(a, b) {
  const [ofA = '', ofB = ''] = [a, b].map(({ startedAt, committedAt = startedAt }) => committedAt);
  return ofA.localeCompare(ofB) || a.startedAt.localeCompare(b.startedAt);
}

/**
 * The reference is in every run, so it only counts where there is nothing else.
 * @param {{ cases: Pick<Case, 'id' | 'reference'>[] }} run
 * @param {{ cases: Pick<Case, 'id' | 'reference'>[] }} other
 * @returns {boolean} whether the two can be compared at all
 */
export function shareCases(run, other) {
  const [ids = [], otherIds = []] = [run, other].map(({ cases }) => {
    const servers = cases.filter(({ reference }) => !reference);
    return (servers.length > 0 ? servers : cases).map(({ id }) => id);
  });
  return otherIds.some((id) => ids.includes(id));
}

/** @type {(files: string[]) => Promise<Baselines>} */
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
  const timesOf = (/** @type {Baseline} */ { run: { startedAt, revision } }) => ({ ...revision, startedAt });
  all.baselines.sort((a, b) => oldestFirst(timesOf(b), timesOf(a)) || a.file.localeCompare(b.file));
  return all;
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/** Others' presets and fingerprints may hold what file names must not. @type {(text: string) => string} */
function fileName(text) {
  return text.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '-');
}
