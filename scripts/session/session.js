/**
 * A session: reads what is compared, plans, measures until the verdict is clear, judges and writes the
 * results. Its caller, a terminal or a step of a job, prints the answer.
 * @import { Comparison } from '../types.js'
 * @import { Experiment, Surroundings } from './experiments/experiment.js'
 */

import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { enter } from '../observe/observe.js';
import { planOf } from '../plan/shard.js';
import { shortBudget } from '../plan/timetable.js';
import { realDependencies } from '../run/dependencies.js';
import { measure } from '../run/measure.js';
import { requireForPlan } from '../run/prepare/preflight.js';
import { isRuled } from '../samples/figures.js';
import { readStored } from './base.js';
import { finish, skippedRun } from './finish.js';
import { profileRegressions } from './profile-regressions.js';
import { commandLine } from './repro-command.js';
import { clearUnfinished, knownBesideSeconds, withResults } from './results.js';
import { scouting } from './touched-routes.js';
import { hasNothingToDo, requireOther, sidesOf } from './sides.js';
import { pairOf, watching } from './watching.js';

/**
 * @type {<A>(experiment: Experiment<A>, surroundings: Surroundings) => Promise<A>}
 * @throws {import('../model/errors.js').UserError} with every mistake, before anything is started
 * @throws {import('../model/errors.js').MeasureError} cancelled while it waited
 */
export async function runSession(experiment, surroundings) {
  const { config: asked, answer, looks, dependencies: adapt = (real) => real } = experiment;
  const { cwd, env, signal, runner, revision } = surroundings;
  // V8 lets garbage grow to four times the live heap by default, but the servers need the memory.
  setFlagsFromString('--heap-growing-percent=50');
  // A mistake is not worth a wait for another run.
  const { base: stored, warnings } = await readStored(asked, cwd);
  if (!experiment.sides) await requireOther(asked, cwd);
  return withResults(asked.out, surroundings, async (out) => {
    const command = commandLine(asked.asked, experiment.verb);
    const facts = { session: randomUUID(), command, runner, head: revision };
    const { config, sides, changed, ...found } = await sidesOf(asked, { cwd, env, sides: experiment.sides });
    if (hasNothingToDo(config, asked, sides))
      return answer(await finish({ head: skippedRun(config, sides, facts) }, config, surroundings));
    const plan = planOf(config, sides, await knownBesideSeconds(config, { cwd, stored }));
    await requireForPlan(plan, env);
    const short = shortBudget(plan);
    if (short) surroundings.stderr.write(`perf-action: ${short}\n`);
    await clearUnfinished(out);
    // A JVM compiles for a minute, and allocates less and less: starts that are only counted are too short.
    const allocated = !config.counts && isRuled(config, 'allocated');
    const dependencies = adapt({
      ...realDependencies((runtime) => enter(runtime, { ...config, allocated })),
      isInside: config.runtimeMetrics === true,
    });
    const { end, ...hooks } = watching(plan, config, { out, stored, ...surroundings });
    try {
      const known = [...warnings, ...found.warnings, ...(surroundings.warnings ?? [])];
      const order = { plan, config, cwd, ...facts, warnings: known };
      const scout = plan.isScouted === undefined ? undefined : scouting(config, changed);
      const watched = { ...hooks, looks: looks ?? hooks.looks, scout };
      const { runs, elapsed, ...done } = await measure(order, { env, signal, dependencies, ...watched });
      const explain = async (/** @type {Comparison} */ comparison) => {
        // The results that were just written say how long a start took.
        const besideSeconds = await knownBesideSeconds(config, { cwd, stored });
        const context = { cwd, env, signal, facts, ...hooks, elapsed };
        return profileRegressions(comparison, { plan: { ...done.plan, besideSeconds }, config }, context);
      };
      const measured = { ...pairOf(runs, stored), seconds: elapsed(), explain };
      return answer(await finish(measured, config, surroundings));
    } finally {
      end();
    }
  });
}
