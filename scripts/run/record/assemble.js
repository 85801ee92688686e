/**
 * Puts trials, machine and revision together into the run file's shape.
 * @import { Case, Config, Environment, Plan, Run, RunCase, Step, Trials, Unfinished,
 *   Warning } from '../../types.js'
 */

import { DEFAULT_RUNTIME, RUNTIMES } from '../../deploy/runtimes.js';
import { summarize } from '../../samples/summary.js';
import { trialWarnings } from './warnings.js';

/**
 * @typedef {object} Facts
 * @property {Plan} plan
 * @property {Config} config
 * @property {Trials} trials
 * @property {Run['touched']} [touched]
 * @property {string} session that the sides share
 * @property {string} startedAt ISO 8601
 * @property {string} finishedAt
 * @property {Environment} environment
 * @property {Run['revision'][]} revisions by side
 * @property {string} command that repeats the run
 * @property {Warning[]} warnings
 * @property {number[]} looks shares at which it was judged
 * @property {Map<string, number>} decidedAt share of the look that decided a case, by case id
 * @property {Unfinished | undefined} unfinished
 *
 * @param {Facts} facts
 * @returns {Run[]} one a side of the plan
 */
export function assembleRuns(facts) {
  const { plan, config, session, startedAt, finishedAt, environment, command, warnings } = facts;
  const { title, language, preset, relativeTo, published, seed, against } = config;
  const allWarnings = [...warnings, ...trialWarnings(plan, facts.trials)];
  return plan.sides.map((side, place) => ({
    schema: 'perf-action/run@1',
    id: plan.sides.length > 1 ? `${session}-${side.label}` : session,
    ...{ session, startedAt, finishedAt, title, language, seed },
    ...(plan.shard && { shard: plan.shard }),
    preset,
    relativeTo,
    ...(plan.sides.length > 1 && against !== undefined && { against }),
    revision: facts.revisions[place] ?? {},
    environment,
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
    ...(side.label === 'head' && { touched: facts.touched }),
    ...(facts.looks.length > 0 && { looks: [...facts.looks] }),
    command,
    ...(facts.unfinished && { unfinished: facts.unfinished }),
    published,
    cases: [...facts.trials.keys()].flatMap((step) => {
      // Between two sides the reference comes late, if at all.
      const isLeft = step.case.reference && plan.sides.length > 1 && facts.trials.get(step)?.length === 0;
      return step.side === side && !isLeft ? runCase(step, facts) : [];
    }),
  }));
}

/** @type {(step: Step, facts: Facts) => RunCase} */
function runCase(step, { trials: all, environment, decidedAt }) {
  const trials = all.get(step) ?? [];
  const { case: planned } = step;
  const { runtime, processors } = step.side.servers[planned.server] ?? {};
  const { clientCores, instances } = planned;
  const share = decidedAt.get(planned.id);
  const summary = summarize(trials, planned);
  return {
    ...planned,
    // As a file has it: what hides itself as text, or not at all.
    request: JSON.parse(JSON.stringify(planned.request)),
    serverCores: serverCoresOf({ runtime, processors, clientCores, instances }, environment.cores),
    trials,
    ...(summary && { summary }),
    ...(share !== undefined && { decidedAt: share }),
  };
}

/**
 * How many of the machine's cores a server can keep busy beside the load tool.
 * @param {{ runtime?: string, processors?: number, clientCores?: number, instances?: number }} server
 * @param {number} cores
 */
export function serverCoresOf(server, cores) {
  const { runtime = DEFAULT_RUNTIME, processors, clientCores = 1, instances = 1 } = server;
  const instanceCores = processors ?? RUNTIMES[runtime]?.cores ?? cores;
  return Math.min(instanceCores * instances, Math.max(1, cores - clientCores));
}

/**
 * Nothing may pass for measured that was only planned, whatever kept it from being started. Returns one with
 * the cases, the reference excepted, that a side with a place in the plan, or every side, never started.
 * @type {(plan: Plan, trials: Trials) => Warning[]}
 */
export function neverStarted(plan, trials) {
  const isNever = (/** @type {Case} */ planned) => {
    const ofSides = [...trials].filter(([step]) => step.case === planned);
    return ofSides.length === 0 || ofSides.some(([, own]) => own.length === 0);
  };
  const isAllReference = plan.cases.every(({ reference }) => reference);
  const judged = plan.cases.filter(({ reference }) => isAllReference || !reference);
  const cases = judged.filter(isNever).map(({ id }) => id);
  return cases.length > 0 ? [{ code: 'never-started', cases }] : [];
}
