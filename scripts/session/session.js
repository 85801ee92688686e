/**
 * A session: reads the configuration, plans, measures until the verdict is clear, and writes the result folder. Its caller,
 * a terminal or a step of a job, prints the outcome.
 * @import { Config, Plan, Run, Side } from '../types.js'
 * @import { Asked } from './repro-command.js'
 * @import { Outcome } from './judge-and-write.js'
 * @import { Interrupted } from './resume.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { randomUUID } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { alone } from '../system/lock.js';
import { MeasureError } from '../model/errors.js';
import { poolComparisons } from '../history/pooled-base.js';
import { compare } from '../judge/compare.js';
import { alphasOfLooks, decidedCases, LEAST_ROUNDS, LOOKS } from '../judge/alpha-spending.js';
import { planOf } from '../plan/shard.js';
import { enter } from '../observe/observe.js';
import { enterProfiled } from '../profile/profilers.js';
import { renderLive } from '../report/live.js';
import { realDependencies } from '../run/dependencies.js';
import { measure } from '../run/measure.js';
import { requireForPlan } from '../run/prepare/preflight.js';
import { progressOn } from '../run/record/progress.js';
import { readStored } from './base.js';
import { knownStartSeconds } from './startup-times.js';
import { commandLine } from './repro-command.js';
import { conclude } from './judge-and-write.js';
import { readRunConfig } from './config.js';
import { clearResults, LOCK, readResults, writeRuns } from './results.js';
import { describeUnfinished, readInterrupted, requireSame } from './resume.js';
import { sidesOf } from './sides.js';
import { hasNothingToDo, skippedRun } from './skip.js';
import { profileRegressions } from './profile-regressions.js';

/**
 * @typedef {object} Surroundings
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../system/output.js').Output} stderr gets the progress
 * @property {AbortSignal} signal
 * @property {string} [runner] the kind of machine, where the caller knows it
 * @property {{ revision?: Run['revision'], options?: Record<string, string>, warnings?: Run['warnings'] }} [overrides] what the run
 *   says in place of what this machine sees: the commit by its known name, the options of the printed command; and more warnings
 * @property {import('./sides.js').Candidate} [candidate] a commit to measure in place of the working tree
 * @property {string} [earlier] the results of an earlier comparison of the same two commits, whose rounds count, too
 * @property {(measured: { config: Config, sides: Side[] }) => { config: Config, sides: Side[] }} [alter] changes what is measured
 * @property {(dependencies: Dependencies) => Dependencies} [instrument] changes how it is measured
 */

/**
 * What a run was compared with, and how long measuring took. @typedef {{ base: Run | undefined, seconds: number }} Measured
 *
 * @param {Asked} options of `run`, as they were given
 * @param {Surroundings} surroundings
 * @returns {Promise<Outcome & Measured>}
 * @throws {import('../model/errors.js').UserError} with every mistake, before anything is started
 * @throws {MeasureError} cancelled while it waited
 */
export async function holdSession(options, surroundings) {
  const { cwd, stderr, signal } = surroundings;
  // V8 lets garbage grow to four times the live heap by default, but the servers need the memory.
  setFlagsFromString('--heap-growing-percent=50');
  const asked = options.resume ? undefined : readRunConfig(options, cwd);
  const out = resolve(cwd, asked?.out ?? String(options.resume));
  const name = relative(cwd, out) || '.';
  const work = async () => {
    if (asked) return measureAll(options, { asked }, surroundings);
    const interrupted = await readInterrupted(options, cwd);
    const resumed = readRunConfig(interrupted.options, cwd);
    return measureAll(interrupted.options, { asked: resumed, interrupted }, surroundings);
  };
  const onWait = (/** @type {number} */ pid) =>
    stderr.write(`waiting for process ${pid}, which is writing to ${name}\n`);
  return alone(join(out, LOCK), work, { signal, onWait }).catch((error) => {
    if (error.name !== 'AbortError') throw error;
    throw new MeasureError('cancelled', `while another run was writing to ${name}`);
  });
}

/**
 * @param {Asked} options
 * @param {{ asked: Config, interrupted?: Interrupted }} what
 * @param {Surroundings} surroundings
 * @returns {Promise<Outcome & Measured>}
 */
async function measureAll(options, { asked, interrupted }, surroundings) {
  const { cwd, env, stderr, signal, runner, overrides = {}, candidate, alter, instrument } = surroundings;
  const stored = await readStored(asked, cwd);
  const before = surroundings.earlier === undefined ? undefined : await readResults(surroundings.earlier);
  const readConfig = (/** @type {string} */ folder) => readRunConfig(options, folder);
  const found = await sidesOf(asked, { cwd, env, readConfig, candidate });
  const { config, sides } = alter?.(found) ?? found;
  const [earlier] = interrupted?.runs ?? [];
  const facts = {
    session: earlier?.session ?? randomUUID(),
    command:
      earlier?.command ?? commandLine({ ...options, ...overrides.options }, asked.request.secretHeaders),
    runner,
    head: overrides.revision,
  };
  if (hasNothingToDo(config, asked, sides))
    return {
      ...(await conclude({ head: skippedRun(config, sides, facts) }, config, cwd)),
      base: undefined,
      seconds: 0,
    };
  const dependencies = realDependencies(config.runtimeMetrics ? enter : undefined);
  const plan = planOf(config, sides, await knownStartSeconds(config.out, { cwd, stored: stored.base }));
  await requireForPlan(plan, env);
  const out = resolve(cwd, config.out);
  const kept = { cwd, out, options: interrupted?.unfinished.options ?? options };
  const unfinished = await describeUnfinished(plan, kept);
  if (interrupted) requireSame(interrupted.unfinished, unfinished, config.out);
  else await clearResults(out);
  const labels = sides.map(({ label }) => label);
  const progress = progressOn(stderr, labels);
  try {
    const { runs, elapsed } = await measure(
      {
        plan,
        config,
        cwd,
        ...facts,
        warnings: [...stored.warnings, ...found.warnings, ...(overrides.warnings ?? [])],
        unfinished,
        earlier: interrupted?.runs,
      },
      {
        env,
        dependencies: instrument?.(dependencies) ?? dependencies,
        signal,
        onProgress: progress.show,
        onRuns: (runsSoFar) => {
          const { base, head } = pairOf(runsSoFar, stored.base);
          // No case is decided by the live estimates, so they take no share of the risk of a wrong verdict.
          if (stderr.screen)
            progress.estimate(
              renderLive(head, { comparison: base && compare(base, head, config), ...stderr.screen() }),
            );
          return writeRuns(out, runsSoFar);
        },
        looks: looksOf(plan, config, stored.base),
      },
    );
    /** @param {import('../types.js').Comparison} comparison */
    const explain = (comparison) => {
      const secondsLeft = (config.budgetSeconds ?? Infinity) - elapsed();
      const context = {
        cwd,
        env,
        signal,
        facts,
        onProgress: progress.show,
        dependencies: () => realDependencies(enterProfiled),
        secondsLeft,
      };
      return profileRegressions(comparison, { plan, config }, context);
    };
    const isExplained = config.explain && plan.sides.length > 1;
    const pair = withEarlier(pairOf(runs, stored.base), before);
    const seconds = elapsed();
    const outcome = await conclude({ ...pair, ...(isExplained && { explain }) }, config, cwd);
    return { ...outcome, base: pair.base, seconds };
  } finally {
    progress.end();
  }
}

/**
 * Within a budget, a comparison is also judged while it is measured: decided cases are not started again.
 * @param {Plan} plan
 * @param {Config} config
 * @param {Run | undefined} stored
 * @returns {Parameters<typeof measure>[1]['looks']}
 */
function looksOf(plan, config, stored) {
  if ((stored === undefined && plan.sides.length < 2) || config.budgetSeconds === undefined) return undefined;
  return {
    shares: LOOKS,
    leastRounds: LEAST_ROUNDS,
    look(runsSoFar) {
      const { base, head } = /** @type {{ base: Run, head: Run }} */ (pairOf(runsSoFar, stored));
      return decidedCases(compare(base, head, { ...config, alpha: alphasOfLooks(head).at(-1) }));
    },
  };
}

/** @param {Run[]} runs one per side @param {Run | undefined} stored @returns {{ base: Run | undefined, head: Run }} */
function pairOf(runs, stored) {
  const [first, second] = /** @type {[Run, Run?]} */ (runs);
  return second ? { base: first, head: second } : { base: stored, head: first };
}

/**
 * @param {ReturnType<typeof pairOf>} pair
 * @param {import('./results.js').Results | undefined} earlier
 */
function withEarlier({ base, head }, earlier) {
  if (!base || !earlier?.base) return { base, head };
  return poolComparisons({ base, head }, { base: earlier.base, head: earlier.run });
}
