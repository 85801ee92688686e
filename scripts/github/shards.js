/**
 * A run over several machines: the first job deals the cases, the last one joins what the others measured.
 * @import { Run } from '../types.js'
 * @import { Context, Outputs } from './steps.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBaseline } from '../cli/base.js';
import { clear, conclude, planOf, readRunConfig } from '../cli/run.js';
import { sidesHere } from '../cli/sides.js';
import { UserError } from '../errors.js';
import { shardCount } from '../plan/shard.js';
import { parseCount } from '../plan/units.js';
import { renderPlan } from '../report/plan.js';
import { mergeRuns } from '../store/merge.js';
import { readRun } from '../store/run-file.js';
import { findStored } from './baseline.js';
import { directoryOf, readOptions, spreadInputs } from './inputs.js';
import { publish, readResults } from './results.js';

/** The site starts no more jobs of one matrix. */
const MOST = 256;

/**
 * @param {Context} context env.PERF_INPUTS: the workflow's inputs as JSON
 * @returns {Promise<Outputs>} shards: a matrix as JSON, `[1,2]`; count: how many; seed: what they share
 * @throws {UserError} with every mistake, before a machine is asked for
 */
export async function deal({ env, cwd }) {
  const inputs = spreadInputs(env);
  const asked = parseCount(String(JSON.parse(env.PERF_INPUTS ?? '{}').shards), 'shards');
  if (asked > MOST) throw new UserError(`shards: ${asked} are more than the ${MOST} jobs of a matrix`);
  const config = readRunConfig(readOptions(inputs), directoryOf(inputs, cwd));
  const plan = planOf(config, sidesHere(config));
  process.stdout.write(renderPlan(plan));
  const count = shardCount(plan, asked);
  const shards = Array.from({ length: count }, (_, place) => place + 1);
  return { shards: JSON.stringify(shards), count: String(count), seed: String(config.seed) };
}

/**
 * @param {Context} context env.PERF_SHARDS: a folder with a folder of each shard's results; env.PERF_SEED: theirs;
 *   env.PERF_MEASURED: how the jobs ended that measured
 * @returns {Promise<Outputs>} as of a run that one machine measured
 * @throws {UserError} where no shard left results, or they are not of one run
 */
export async function joinShards({ env, cwd }) {
  const inputs = spreadInputs(env);
  const directory = directoryOf(inputs, cwd);
  const options = { ...readOptions(inputs), seed: env.PERF_SEED };
  const asked = readRunConfig(options, directory);
  const stored = asked.baseline === undefined ? await findStored(inputs, directory) : undefined;
  const config = stored === undefined ? asked : { ...asked, baseline: stored };
  const folders = foldersIn(resolve(cwd, env.PERF_SHARDS ?? ''));
  const heads = await readRuns(folders, 'run.json');
  // Jobs that went well and left nothing had nothing to measure: no change mattered.
  if (heads.length === 0 && env.PERF_MEASURED === 'success') return { code: '0' };
  if (heads.length === 0) throw new UserError('no shard left results; the jobs that measured tell why');
  // A stored run that a shard was compared with lies there too; it is no part of this run.
  const bases = (await readRuns(folders, 'base/run.json')).filter(({ shard }) => shard);
  const joined = mergeRuns(heads);
  const { base, warnings } =
    bases.length > 0
      ? { base: mergeRuns(bases), warnings: [] }
      : await readBaseline(config, { cwd: directory, cases: joined.cases, ...joined.environment });
  const out = resolve(directory, config.out);
  await clear(out);
  const told = [...(joined.warnings ?? []), ...warnings];
  const runs = { head: { ...joined, ...(told.length > 0 && { warnings: told }) }, ...(base && { base }) };
  const code = await conclude(runs, config, { out, stdout: process.stdout });
  return publish(code, out, await readResults(out));
}

/** @param {string} folder */
function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  );
}

/**
 * @param {string[]} folders
 * @param {string} name
 * @returns {Promise<Run[]>}
 */
function readRuns(folders, name) {
  const files = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
  return Promise.all(files.map(readRun));
}
