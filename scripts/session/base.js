/**
 * What a new run is compared with: a stored run, from a file or a folder, or what other machines measured.
 * @import { Case, Config, Run, Warning } from '../types.js'
 */

import { resolve } from 'node:path';
import { describeMachine } from '../observe/describe-machine.js';
import { readBaselines } from '../history/baselines.js';
import { poolRuns } from '../history/pooled-base.js';
import { mergeRuns } from '../store/merge.js';
import { readRun } from '../store/run-file.js';
import { isSkipped } from '../store/skipped.js';
import { chooseRuns } from '../history/select-baseline.js';
import { isFolder } from '../system/folder.js';

/** The base for a run here. @type {(config: Config, cwd: string) => ReturnType<typeof readBaseline>} */
export function readStored(config, cwd) {
  const { fingerprint } = describeMachine({ runtimes: {}, tools: {} });
  return readBaseline(config, { cwd, fingerprint, cases: config.cases });
}

/**
 * A named file is read or refused before anything starts; a folder's unreadable files only give warnings.
 * @param {Pick<Config, 'baseline' | 'preset'>} config
 * @param {{ cwd: string, id?: string, fingerprint: string, cases: Case[] }} head the run, measured or planned
 * @returns {Promise<{ base?: Run, warnings: Warning[] }>} warnings: also that no comparable run is there
 * @throws {import('../model/errors.js').UserError} for a file that is not a run file
 */
export async function readBaseline({ baseline, preset }, { cwd, ...head }) {
  if (baseline === undefined) return { warnings: [] };
  const path = resolve(cwd, baseline);
  if (!isFolder(path)) return { base: await readRun(path), warnings: [] };
  const { base, stored, broken } = await pooledFrom(path, { ...head, preset });
  const code = /** @type {const} */ ('baseline-unreadable');
  const warnings = broken.map((line) => ({ code, message: `a stored run was skipped: ${line}` }));
  if (base) return { base, warnings };
  const left = stored.left.map(({ why }) => why);
  return { warnings: [...warnings, { code: 'not-compared', baseline, left }] };
}

/**
 * The preset's stored runs on this kind of machine as one; undefined where it has none.
 * @type {(config: Pick<Config, 'presetRuns'>, head: Run) => Promise<Run | undefined>}
 */
export async function readPresetRuns({ presetRuns }, { id, preset, cases, environment: { fingerprint } }) {
  if (presetRuns === undefined) return undefined;
  const head = { id, preset, cases, fingerprint, onlyHere: true };
  return (await pooledFrom(presetRuns, head)).base;
}

/**
 * @param {string} folder
 * @param {Parameters<typeof chooseRuns>[1]} head
 */
async function pooledFrom(folder, head) {
  const { baselines, broken } = await readBaselines(folder);
  const all = baselines.map(({ run }) => run);
  const { runs, stored } = chooseRuns(all, head);
  const base = runs.length > 0 ? { ...poolRuns(runs, head.cases), stored } : undefined;
  return { base, stored, broken };
}

/**
 * The sides of a run over several machines: each knows a part of the cases, and may not have stored runs.
 * @param {{ heads: Run[], bases: Run[], lost: Warning[], whyNone: string | undefined }} measured lost: the
 *   shards or machines without results; whyNone: why nothing is compared, where nothing was configured
 * @param {Config} config
 * @param {string} cwd
 * @returns {Promise<{ head: Run, base: Run | undefined }>}
 */
export async function mergeSides({ heads, bases, lost, whyNone }, config, cwd) {
  const joined = mergeRuns(heads);
  const { warnings: machines = [], ...whole } = joined;
  /** @returns {ReturnType<typeof readBaseline>} */
  const baseOf = async () => {
    if (isSkipped(joined)) return { warnings: [] };
    if (bases.length > 0) return { base: mergeRuns(bases), warnings: [] };
    if (config.baseline !== undefined)
      return readBaseline(config, { cwd, cases: whole.cases, ...whole.environment });
    return { warnings: whyNone === undefined ? [] : [{ code: 'not-compared', why: whyNone }] };
  };
  const { base, warnings: own } = await baseOf();
  const isKnown = base !== undefined || own.some(({ code }) => code === 'not-compared');
  const warnings = [
    ...machines.filter(({ code }) => !isKnown || code !== 'not-compared'),
    ...lost.filter((each) => !machines.some(({ code }) => code === each.code)),
    ...own,
  ];
  return { head: { ...whole, ...(warnings.length > 0 && { warnings }) }, base };
}
