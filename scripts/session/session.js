/**
 * A session: reads what is compared, plans, measures until the verdict is clear, judges and writes the results. Its caller, a terminal
 * or a step of a job, prints the answer.
 * @import { Comparison, Run, Warning } from '../types.js'
 * @import { Experiment } from './experiments/experiment.js'
 */

import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { enter } from '../observe/observe.js';
import { planOf } from '../plan/shard.js';
import { realDependencies } from '../run/dependencies.js';
import { measure } from '../run/measure.js';
import { requireForPlan } from '../run/prepare/preflight.js';
import { readStored } from './base.js';
import { finish, skippedRun } from './finish.js';
import { profileRegressions } from './profile-regressions.js';
import { commandLine } from './repro-command.js';
import { readResults, withResults } from './results.js';
import { readInterrupted, startFolder } from './resume.js';
import { hasNothingToDo, sidesOf } from './sides.js';
import { knownStartSeconds } from './startup-times.js';
import { pairOf, watching } from './watching.js';

/**
 * @typedef {object} Surroundings
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../system/output.js').Output} stderr gets the progress
 * @property {AbortSignal} signal
 * @property {string} [runner] the kind of machine, where the caller knows it
 * @property {Run['revision']} [revision] of the head, in place of what git says
 * @property {Warning[]} [warnings] from before the session
 * @property {string} [earlier] the results of an earlier comparison of the same two commits, whose rounds count, too
 */

/**
 * @template A
 * @param {Experiment<A>} experiment
 * @param {Surroundings} surroundings
 * @returns {Promise<A>} the experiment's answer
 * @throws {import('../model/errors.js').UserError} with every mistake, before anything is started
 * @throws {import('../model/errors.js').MeasureError} cancelled while it waited
 */
export async function runSession({ config: asked, answer, ...experiment }, surroundings) {
  const { cwd, env, signal, runner, revision, warnings = [] } = surroundings;
  // V8 lets garbage grow to four times the live heap by default, but the servers need the memory.
  setFlagsFromString('--heap-growing-percent=50');
  return withResults(asked.out, surroundings, async (out) => {
    const interrupted = asked.resume && (await readInterrupted(asked.out, cwd));
    const stored = await readStored(asked, cwd);
    const earlier = surroundings.earlier === undefined ? undefined : await readResults(surroundings.earlier);
    const found = experiment.sides
      ? { config: asked, sides: experiment.sides, warnings: [] }
      : await sidesOf(asked, { cwd, env });
    const { config, sides } = found;
    const command = commandLine(asked.asked, { verb: experiment.verb, marked: asked.request.secretHeaders });
    const facts = { session: randomUUID(), command, ...interrupted?.facts, runner, head: revision };
    if (hasNothingToDo(config, asked, sides)) {
      const finished = await finish({ head: skippedRun(config, sides, facts) }, config, cwd);
      return answer({ ...finished, seconds: 0, isCancelled: signal.aborted });
    }
    const plan = planOf(config, sides, await knownStartSeconds(config.out, { cwd, stored: stored.base }));
    await requireForPlan(plan, env);
    const unfinished = await startFolder(plan, { cwd, out, config, interrupted });
    const real = realDependencies(config.runtimeMetrics ? enter : undefined);
    const dependencies = experiment.dependencies?.(real) ?? real;
    const order = { plan, config, cwd, ...facts, unfinished, earlier: interrupted?.runs };
    const { end, ...watch } = watching(plan, config, {
      out,
      stderr: surroundings.stderr,
      stored: stored.base,
    });
    try {
      const { runs, elapsed } = await measure(
        { ...order, warnings: [...stored.warnings, ...found.warnings, ...warnings] },
        { env, signal, dependencies, ...watch },
      );
      const seconds = elapsed();
      const explain = (/** @type {Comparison} */ comparison) =>
        profileRegressions(comparison, { plan, config }, { cwd, env, signal, facts, ...watch, elapsed });
      const finished = await finish({ ...pairOf(runs, stored.base), earlier, explain }, config, cwd);
      return answer({ ...finished, seconds, isCancelled: signal.aborted });
    } finally {
      end();
    }
  });
}
