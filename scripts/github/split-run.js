/**
 * A run over several machines: the first job distributes the cases, the last one joins what the others
 * measured. Machines of one kind share the cases; each kind measures all of them.
 * @import { Config, Warning } from '../types.js'
 * @import { Sides } from '../session/finish.js'
 * @import { Step } from './contract/outputs.js'
 */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { range } from 'd3-array';
import { mergeSides } from '../session/base.js';
import { asCommitAsks } from '../session/base-config.js';
import { askedExperiment } from '../session/experiments/count-only.js';
import { finish } from '../session/finish.js';
import { readRunConfig } from '../session/run-config.js';
import { isOtherCommit, sidesHere } from '../session/sides.js';
import { UserError } from '../model/errors.js';
import { makePlan } from '../plan/plan.js';
import { shardCount } from '../plan/shard.js';
import { parseCount } from '../model/units.js';
import { planAnswer } from '../report/document/plan-answer.js';
import { answerTerminal } from '../report/render/terminal.js';
import { wordsIn } from '../report/text/words.js';
import { findStored, settingsOf, whyNoneStored } from './baselines/stored-baseline.js';
import { fetchRef, findBase } from './baselines/merge-base.js';
import { directoryOf, isPosted, keyOf, readInputs, readOptions } from './contract/inputs.js';
import { publish } from './contract/publish-results.js';
import { collect, MOST_JOBS } from './collect.js';
import { print, warning } from './step-log.js';
import { machinesOf, worstOf } from './machine-kinds.js';

const OUT = 'perf-results';

/** Throws with all mistakes before a machine starts. PERF_INPUTS: inputs as JSON. @type {Step<'split'>} */
export async function splitCases({ env, cwd }) {
  const inputs = readInputs(env);
  keyOf(inputs);
  settingsOf(env);
  isPosted(inputs);
  if (inputs.shard !== undefined)
    throw new UserError('options: "shard" has no effect there; use the input shards instead');
  const machines = machinesOf(inputs);
  const asked = parseCount(inputs.shards ?? '1', 'shards');
  const jobs = asked * Math.max(1, machines.length);
  if (jobs > MOST_JOBS)
    throw new UserError(`shards: ${jobs} jobs are too many; a matrix has at most ${MOST_JOBS}`);
  const { config } = askedExperiment(readOptions(inputs), directoryOf(inputs, cwd));
  if (machines.length > 0 && config.against === undefined)
    throw new UserError(
      'machines: each is compared with a base that it measures itself; set against, like against: base',
    );
  const plan = makePlan(config, sidesHere(config));
  print(answerTerminal(planAnswer(plan, wordsIn(config.language), config)));
  const count = shardCount(plan, asked);
  return {
    machines: JSON.stringify(machines.length > 0 ? machines : [inputs['runs-on']]),
    shards: JSON.stringify(range(1, count + 1)),
    count: String(count),
    seed: String(config.seed),
  };
}

/**
 * Reads the measured checkout, runs nothing of it, and writes outside of it. Throws where no machine left
 * results, they belong to different runs, or an archive is rejected. env.PERF_CHECKOUT: what was measured;
 * env.PERF_SHARDS: the machines' archives; env.PERF_COUNT: how many shared the cases; env.PERF_SEED: theirs.
 * @type {Step<'merge'>}
 */
export async function mergeShards({ env, signal }) {
  const inputs = readInputs(env);
  const directory = directoryOf(inputs, env.PERF_CHECKOUT ?? '');
  const scratch = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'perf-joined-'));
  const options = { ...readOptions(inputs), seed: env.PERF_SEED, out: join(scratch, OUT) };
  const asked = readRunConfig(options, directory);
  const machines = machinesOf(inputs);
  const collected = [];
  for (const machine of machines.length > 0 ? machines : [undefined])
    collected.push(await collect(machine, join(scratch, 'shards', machine ?? ''), { env, seed: asked.seed }));
  if (collected.some(({ isForeign }) => isForeign))
    warning(
      'a runner left the figures of another run; if several jobs of this workflow call perf.yml, give each its own comment-key',
    );
  const here = collected.filter(({ heads }) => heads.length > 0);
  const gone = machines.filter((label) => !here.some(({ machine }) => machine === label));
  /** @type {Warning[]} */
  const lostMachines = gone.length > 0 ? [{ code: 'machines-missing', machines: gone }] : [];
  if (here.length === 0) {
    const [lost] = [...lostMachines, ...collected.flatMap((each) => each.lost)];
    throw new UserError(
      `${lost ? wordsIn().warning(lost) : 'no machine measured'}; see the logs of the measuring jobs`,
    );
  }
  // Where the event had no base, the machines have asked for none.
  const isUnbased = asked.against === 'base' && here.every(({ bases }) => bases.length === 0);
  const read = isUnbased ? readRunConfig({ ...options, against: 'off' }, directory) : asked;
  const stored = read.baseline === undefined ? await findStored(env) : undefined;
  const { config: judged, warnings } = await judgedByBase(read, { env, directory, scratch });
  const config = stored === undefined ? judged : { ...judged, baseline: stored };
  const whyNone = asked.against === undefined ? whyNoneStored(env) : undefined;
  const sides = await Promise.all(
    here.map(async ({ machine, heads, bases, comparisons: claims, ...each }) => {
      const lost = [...each.lost, ...lostMachines, ...warnings];
      return { machine, claims, ...(await mergeSides({ heads, bases, lost, whyNone }, config, directory)) };
    }),
  );
  const finishIn = (/** @type {string} */ out, /** @type {Sides} */ each) =>
    finish(each, { ...config, out: join(OUT, out) }, { cwd: scratch, signal });
  const outcome = await finishIn(
    '',
    machines.length > 0 ? await worstOf(sides, finishIn) : /** @type {Sides} */ (sides[0]),
  );
  print(outcome.text());
  return publish(join(scratch, OUT), outcome);
}

/**
 * The measuring machines read the base's perf.yml, too, but what they hand over may be made up.
 * @param {Config} config
 * @param {{ env: NodeJS.ProcessEnv, directory: string, scratch: string }} context
 * @returns {ReturnType<typeof asCommitAsks>}
 */
async function judgedByBase(config, { env, directory: cwd, scratch }) {
  const { against = '' } = config;
  try {
    const base = against === 'base' ? await findBase(env, cwd) : { sha: against };
    if ('none' in base || !isOtherCommit(config)) return { config, warnings: [] };
    await fetchRef(base.sha, cwd, env);
    return await asCommitAsks(base.sha, config, { cwd, scratch: join(scratch, 'base') });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    warning(`perf.yml of the base could not be read, so that of the head decides: ${message}`);
    return { config, warnings: [] };
  }
}
