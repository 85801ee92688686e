/**
 * The result folder: written by a session, read by later steps.
 * @import { Comparison, Config, Run } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { max, sum } from 'd3-array';
import { MeasureError } from '../model/errors.js';
import { CONTROL_SHARE } from '../model/times.js';
import { loadSeconds } from '../plan/timetable.js';
import { writeJson } from '../store/json-file.js';
import { COMPARISON, PAGES, PRESET_RUNS, SIDES, UNFINISHED } from '../store/result-files.js';
import { readComparison, readRun, writeRun } from '../store/run-file.js';
import { isEmpty } from '../store/skipped.js';
import { alone } from '../system/lock.js';

/** Names the process that writes to the folder. */
const LOCK = 'run.lock';

const RESULTS = [...SIDES, ...PAGES];

/**
 * presetRuns: with the stored runs of the preset, which decide nothing
 * @typedef {{ run: Run, base?: Run, comparison?: Comparison, presetRuns?: Comparison }} Results
 */

/**
 * One process at a time writes to the folder.
 * @template T
 * @param {string} dir
 * @param {{ cwd: string, stderr: import('../system/terminal-output.js').Output, signal: AbortSignal }} by
 * @param {(out: string) => Promise<T>} work out: the folder, absolute
 * @returns {Promise<T>}
 * @throws {MeasureError} cancelled while it waited
 */
export function withResults(dir, { cwd, stderr, signal }, work) {
  const out = resolve(cwd, dir);
  const name = relative(cwd, out) || '.';
  const onWait = (/** @type {number} */ pid) =>
    stderr.write(`waiting for process ${pid}, which is writing to ${name} (--out names another folder)\n`);
  return alone(join(out, LOCK), () => work(out), { signal, onWait }).catch((error) => {
    if (error.name !== 'AbortError') throw error;
    throw new MeasureError('cancelled', `while another run was writing to ${name}`);
  });
}

/**
 * Ignores comparisons that an earlier run left in the folder. name: the run file's.
 * @type {(dir: string, name?: string) => Promise<Results>}
 * @throws {import('../model/errors.js').UserError} where the folder holds no readable run
 */
export async function readResults(dir, name = SIDES[0]) {
  const run = await readRun(join(dir, name));
  const base = existsSync(join(dir, SIDES[1])) ? await readRun(join(dir, SIDES[1])) : undefined;
  const [comparison, presetRuns] = await Promise.all(
    [COMPARISON, PRESET_RUNS].map(async (file) => {
      const path = join(dir, file);
      const found = existsSync(path) ? await readComparison(path) : undefined;
      return found?.head.id === run.id ? found : undefined;
    }),
  );
  return { run, base, ...(comparison && { comparison }), ...(presetRuns && { presetRuns }) };
}

/** The head's run; undefined where none is readable. @type {(dir: string) => Promise<Run | undefined>} */
export function tryReadHead(dir) {
  return readRun(join(dir, SIDES[0])).catch(() => undefined);
}

/**
 * What a start took beside its load in an earlier run of a case: start, checks, warm-up, waits and stop.
 * @param {Pick<Config, 'out' | 'cases'>} config out: may hold the last run
 * @param {{ cwd: string, stored?: Run }} sources stored: the baseline
 * @returns {Promise<Record<string, number>>} mean seconds by case id; the last run overrides the baseline
 */
export async function knownBesideSeconds({ out, cases }, { cwd, stored }) {
  // An unreadable run only makes the estimate worse; other readers report it.
  const { run, base } = (await readResults(resolve(cwd, out)).catch(() => undefined)) ?? {};
  // The base of another session was not measured beside the run.
  const last = run && [run, ...(base?.session === run.session ? [base] : [])];
  const earlier = [...(stored && stored.against === undefined ? [[stored]] : []), ...(last ? [last] : [])];
  return Object.fromEntries(
    earlier.flatMap((sides) => {
      const all = sides.flatMap((side) => side.cases);
      const own = all.filter(({ role }) => role === undefined);
      const controlShare = all.length > own.length ? CONTROL_SHARE : 0;
      const loads = own.flatMap(({ load, trials }) =>
        trials.flatMap(({ windows }) => (windows.length > 0 ? loadSeconds(load) : [])),
      );
      const windows = own.flatMap(({ trials }) => trials.flatMap((trial) => trial.windows));
      const elapsed = max(windows, ({ at, seconds }) => (at === undefined ? at : at + seconds)) ?? 0;
      const beside = ((1 - controlShare) * elapsed - sum(loads)) / loads.length;
      const isAlike = (/** @type {Run['cases'][0]} */ { id, load }) =>
        cases.some((planned) => planned.id === id && planned.load.warmupSeconds === load.warmupSeconds);
      return beside > 0 ? own.filter(isAlike).map(({ id }) => [id, beside]) : [];
    }),
  );
}

/** Old files go last: a full disk loses nothing. @type {(dir: string, results: Results) => Promise<void>} */
export async function writeResults(dir, { run, base, comparison, presetRuns }) {
  await writeRuns(dir, base ? [base, run] : [run]);
  for (const [name, compared] of /** @type {const} */ ([
    [COMPARISON, comparison],
    [PRESET_RUNS, presetRuns],
  ]))
    await (compared ? writeJson(join(dir, name), compared) : rm(join(dir, name), { force: true }));
  if (!base) await rm(join(dir, SIDES[1]), { force: true });
}

/** Removes what a killed run left. @param {string} dir */
export async function clearUnfinished(dir) {
  await rm(join(dir, UNFINISHED), { recursive: true, force: true });
}

/** Keeps the run files alone. @param {string} dir */
export async function clearPages(dir) {
  for (const name of PAGES) await rm(join(dir, name), { force: true });
}

/** runs: one per side, the head last. @type {(dir: string, runs: Run[]) => Promise<void>} */
export async function writeRuns(dir, runs) {
  await writeRun(dir, /** @type {Run} */ (runs.at(-1)));
  if (runs.length > 1) await writeRun(join(dir, 'base'), /** @type {Run} */ (runs[0]));
}

/**
 * Keeps the previous results when a run measures nothing. Returns their new folder, where there were any.
 * @type {(dir: string) => Promise<string | undefined>}
 */
export async function setAside(dir) {
  const present = RESULTS.filter((name) => existsSync(join(dir, name)));
  const run = await tryReadHead(dir);
  if (present.length === 0 || (run && isEmpty(run))) return undefined;
  const earlier = join(dir, 'earlier');
  await mkdir(join(earlier, 'base'), { recursive: true });
  for (const name of RESULTS)
    await (present.includes(name)
      ? rename(join(dir, name), join(earlier, name))
      : rm(join(earlier, name), { force: true }));
  return earlier;
}
