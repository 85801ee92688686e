/**
 * A run over several machines: the first job distributes the cases, the last one joins what the others measured.
 * @import { Comparison, Run, Warning } from '../types.js'
 * @import { Step } from './action/outputs.js'
 */

import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { range } from 'd3-array';
import { mergeSides } from '../session/base.js';
import { finish } from '../session/finish.js';
import { readRunConfig } from '../session/config.js';
import { COMPARISON, SIDES } from '../store/result-files.js';
import { sidesHere } from '../session/sides.js';
import { UserError } from '../model/errors.js';
import { makePlan } from '../plan/plan.js';
import { shardCount } from '../plan/shard.js';
import { parseCount } from '../model/units.js';
import { renderPlan } from '../report/plan.js';
import { wordsIn } from '../report/text/words.js';
import { writeText } from '../store/json-file.js';
import { readComparison } from '../store/comparison-file.js';
import { readRun } from '../store/run-file.js';
import { readArchives } from './comment/artifact.js';
import { findStored, settingsOf, whyNoneStored } from './baselines/baseline.js';
import { directoryOf, isPosted, keyOf, readInputs, readOptions } from './action/inputs.js';
import { publish } from './action/results.js';
import { print, warning } from './log.js';

/** GitHub starts no more jobs for one matrix. */
const MOST = 256;

const OUT = 'perf-results';

/** The last job compares again; it takes only the functions from the comparison of a machine. */
const COLLECTED = [...SIDES, COMPARISON];

/** Throws with every mistake, before a machine starts. env.PERF_INPUTS: the workflow's inputs as JSON. @type {Step<'split'>} */
export async function splitCases({ env, cwd }) {
  const inputs = readInputs(env);
  keyOf(inputs);
  settingsOf(env);
  isPosted(inputs);
  if (inputs.shard !== undefined)
    throw new UserError('options: "shard" has no effect there; use the input shards instead');
  const asked = parseCount(inputs.shards ?? '1', 'shards');
  if (asked > MOST) throw new UserError(`shards: ${asked} is too many; a matrix has at most ${MOST} jobs`);
  const config = readRunConfig(readOptions(inputs), directoryOf(inputs, cwd));
  const plan = makePlan(config, sidesHere(config));
  print(renderPlan(plan));
  const count = shardCount(plan, asked);
  return { shards: JSON.stringify(range(1, count + 1)), count: String(count), seed: String(config.seed) };
}

/**
 * Reads the measured checkout, runs nothing of it, and writes outside of it. Throws where no machine left results, they belong
 * to different runs, or an archive is rejected. env.PERF_CHECKOUT: what was measured; env.PERF_SHARDS: the machines' archives;
 * env.PERF_COUNT: how many machines there were; env.PERF_SEED: theirs.
 * @type {Step<'merge'>}
 */
export async function mergeShards({ env, signal }) {
  const inputs = readInputs(env);
  const directory = directoryOf(inputs, env.PERF_CHECKOUT ?? '');
  const scratch = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'perf-joined-'));
  const options = { ...readOptions(inputs), seed: env.PERF_SEED, out: join(scratch, OUT) };
  const asked = readRunConfig(options, directory);
  const shards = await readShards(join(scratch, 'shards'), env, asked.seed);
  const { heads, bases, comparisons, lost } = shards;
  // Where the event had no base, the machines have asked for none.
  const isUnbased = asked.against === 'base' && bases.length === 0;
  const read = isUnbased ? readRunConfig({ ...options, against: 'off' }, directory) : asked;
  const stored = read.baseline === undefined ? await findStored(env) : undefined;
  const config = stored === undefined ? read : { ...read, baseline: stored };
  if (shards.isForeign)
    warning(
      'a runner left the figures of another run; if several jobs of this workflow call perf.yml, give each its own comment-key',
    );
  if (heads.length === 0)
    throw new UserError(
      `${lost ? wordsIn().warning(lost) : 'no machine measured'}; see the logs of the measuring jobs`,
    );
  const whyNone = asked.against === undefined ? whyNoneStored(env) : undefined;
  const merged = await mergeSides({ heads, bases, lost, whyNone }, config, directory);
  const outcome = await finish(
    { ...merged, claims: comparisons },
    { ...config, out: OUT },
    { cwd: scratch, signal },
  );
  print(outcome.text());
  return publish(join(scratch, OUT), outcome);
}

/**
 * Ignores a stored run that a machine compared with, since it has no shard number, and the results of an earlier attempt,
 * which have another seed.
 * @param {string} folder for the files in the archives, under names of ours
 * @param {NodeJS.ProcessEnv} env
 * @param {number} seed
 * @returns {Promise<{ heads: Run[], bases: Run[], comparisons: Comparison[], lost: Warning | undefined, isForeign: boolean }>}
 *   lost: the machines without results; isForeign: some figures belong to another run
 */
async function readShards(folder, { PERF_SHARDS = '', PERF_COUNT = '' }, seed) {
  const numbers = range(1, Math.min(parseCount(PERF_COUNT, 'shards'), MOST) + 1);
  const wanted = numbers.flatMap((number) => COLLECTED.map((name) => `${number}/${name}`));
  for await (const [name, content] of readArchives(PERF_SHARDS, wanted))
    await writeText(join(folder, name), content.toString());
  /** @template T @param {string} name @param {(file: string) => Promise<T>} read */
  const readAll = (name, read) => {
    const files = numbers.map((number) => join(folder, String(number), name));
    return Promise.all(files.filter((file) => existsSync(file)).map((file) => read(file)));
  };
  const [left, leftBases] = [await readAll(SIDES[0], readRun), await readAll(SIDES[1], readRun)];
  const isOurs = (/** @type {Run} */ run) => run.shard && run.seed === seed;
  const heads = left.filter(isOurs);
  const comparisons = await readAll(COMPARISON, readComparison);
  const missing = numbers.filter((number) => !heads.some(({ shard }) => shard?.index === number));
  const lost = { code: /** @type {const} */ ('shards-missing'), shards: missing, of: numbers.length };
  return {
    heads,
    bases: leftBases.filter(isOurs),
    comparisons: comparisons.filter(({ head }) => heads.some(({ id }) => id === head.id)),
    lost: missing.length > 0 ? lost : undefined,
    isForeign: left.some((run) => run.seed !== seed),
  };
}
