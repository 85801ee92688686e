/**
 * Puts trials, machine and revision together into the run file's shape.
 * @import { Config, Environment, Plan, Run, RunCase, Step, Trial, Unfinished, Warning } from '../../types.js'
 */

import { DEFAULT_RUNTIME, RUNTIMES } from '../../deploy/runtimes.js';
import { summarize } from '../../samples/summary.js';
import { noticesOf } from './warnings.js';

/**
 * One run a side of the plan; the sides share the session.
 * @param {{
 *   plan: Plan,
 *   config: Config,
 *   trials: Trial[][][],
 *   session: string,
 *   startedAt: string,
 *   finishedAt: string,
 *   environment: Environment,
 *   revisions: Run['revision'][],
 *   command: string,
 *   warnings: Warning[],
 *   looks: number[],
 *   decidedAt: Map<string, number>,
 *   unfinished: Unfinished | undefined,
 *   resumed: number,
 * }} facts trials[side][case], revisions[side]; instants as ISO 8601
 * @returns {Run[]}
 */
export function assembleRuns(facts) {
  const { plan, config, session, startedAt, finishedAt, environment, command, warnings } = facts;
  const { title, language, preset, relativeTo, published, seed, against } = config;
  const told = [...warnings, ...noticesOf(plan, facts.trials)];
  return plan.sides.map(({ label }, side) => ({
    schema: 'perf-action/run@1',
    id: plan.sides.length > 1 ? `${session}-${label}` : session,
    session,
    startedAt,
    finishedAt,
    title,
    ...(language !== undefined && { language }),
    seed,
    ...(plan.shard && { shard: plan.shard }),
    ...(preset !== undefined && { preset }),
    ...(relativeTo !== undefined && { relativeTo }),
    ...(plan.sides.length > 1 && against !== undefined && { against }),
    revision: facts.revisions[side] ?? {},
    environment,
    ...(told.length > 0 && { warnings: told }),
    ...(facts.looks.length > 0 && { looks: [...facts.looks] }),
    command,
    ...(facts.unfinished && { unfinished: facts.unfinished }),
    ...(facts.resumed > 0 && { resumed: facts.resumed }),
    ...(published !== undefined && { published }),
    cases: plan.cases.flatMap((of, index) => {
      if (!isMeasured(plan, { side, case: index })) return [];
      const share = facts.decidedAt.get(of.id);
      const { runtime, processors } = plan.sides[side]?.servers[of.server] ?? {};
      const { clientCores, instances } = of;
      const means = { runtime, processors, clientCores, instances };
      const serverCores = serverCoresOf(means, environment.cores);
      const own = withSummary({ ...of, serverCores }, facts.trials[side]?.[index] ?? []);
      return share === undefined ? own : { ...own, decidedAt: share };
    }),
  }));
}

/**
 * @param {{ runtime?: string | undefined, processors?: number | undefined, clientCores?: number | undefined, instances?: number }} of
 * @param {number} cores of the machine
 * @returns {number} how many the server can keep busy beside the load tool
 */
export function serverCoresOf(of, cores) {
  const { runtime = DEFAULT_RUNTIME, processors, clientCores = 1, instances = 1 } = of;
  const each = processors ?? RUNTIMES[runtime]?.cores ?? cores;
  return Math.min(each * instances, Math.max(1, cores - clientCores));
}

/**
 * @param {Plan['cases'][number]} of
 * @param {Trial[]} trials
 * @returns {RunCase}
 */
function withSummary(of, trials) {
  const summary = summarize(trials, of);
  return { ...of, trials, ...(summary && { summary }) };
}

/**
 * @param {Plan} plan
 * @param {Step} wanted
 * @returns {boolean} whether this side has such a case at all
 */
export function isMeasured({ order }, wanted) {
  return order[0]?.flat().some((step) => step.side === wanted.side && step.case === wanted.case) === true;
}
