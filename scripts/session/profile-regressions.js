/**
 * Why a server got slower: a short profiled run of both sides, separate from what is judged.
 * @import { CaseComparison, Comparison, Config, Plan, Run, Server } from '../types.js'
 * @import { Progress } from '../run/conduct.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { relative } from 'node:path';
import { treeOf } from '../deploy/source/tree-record.js';
import { callsOf } from '../profile/call-tree.js';
import { changedFunctions, functionToBlame, stretchOf } from '../profile/changed-functions.js';
import { enterProfiled, PROFILERS } from '../profile/profilers.js';
import { defined } from '../model/defined.js';
import { LEAST_ROUNDS, PROFILED_ROUNDS } from '../model/times.js';
import { makePlan } from '../plan/plan.js';
import { timed, UNFITTED } from '../plan/timetable.js';
import { realDependencies } from '../run/dependencies.js';
import { measure } from '../run/measure.js';
import { isSlower } from './finish.js';

/** Several slower cases usually share one reason. */
const MOST_CASES = 2;

/**
 * @param {Comparison} comparison
 * @param {{ plan: Plan, config: Config }} asked plan: the measured one
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal, onProgress: (event: Progress) => void,
 *   facts: Pick<Run, 'session'> & { command: string }, elapsed: () => number,
 *   dependencies?: () => Dependencies }} context elapsed: seconds of the budget; dependencies: to profile
 * @returns {Promise<Comparison>} with the functions that changed in the cases that got slower
 */
export async function profileRegressions(comparison, { plan, config }, context) {
  const { cwd, env, signal, facts, onProgress, elapsed } = context;
  const { dependencies = () => realDependencies(enterProfiled) } = context;
  const isWanted = config.explain && plan.sides.length > 1 && comparison.against !== 'self';
  const cases = isWanted && !signal.aborted ? profiledCases(comparison, plan) : [];
  if (cases.length === 0) return comparison;
  const secondsLeft = plan.budgetSeconds - elapsed();
  const short = { ...config, ...UNFITTED, cases, rounds: PROFILED_ROUNDS, shard: undefined };
  const whole = makePlan(short, plan.sides, plan.besideSeconds ?? {});
  const least = Math.ceil((whole.estimateSeconds * LEAST_ROUNDS) / PROFILED_ROUNDS);
  if (least > secondsLeft) {
    const warning = { code: /** @type {const} */ ('not-explained'), seconds: Math.ceil(least - secondsLeft) };
    return { ...comparison, warnings: [...comparison.warnings, warning] };
  }
  const bounded = timed({ ...whole, budgetSeconds: secondsLeft });
  const ids = cases.map(({ id }) => id);
  onProgress({ type: 'explain', cases: ids, seconds: bounded.estimateSeconds });
  const { runs } = await measure(
    { plan: bounded, config: short, cwd, ...facts },
    { env, dependencies: dependencies(), signal, onProgress, onRuns: async () => {} },
  );
  const [base, head] = asOwnCode(runs, plan);
  /** @type {(compared: CaseComparison) => CaseComparison} */
  const explained = (compared) => {
    const { id, metrics } = compared;
    const [before, after] = [base, head].map((run) => run?.cases.find((measured) => measured.id === id));
    const stretch = ids.includes(id) ? stretchOf(metrics) : undefined;
    if (!before || !after || !stretch) return compared;
    const functions = changedFunctions(before, after, stretch);
    const blamed = functionToBlame(before, after, stretch);
    // In time V8 may inline a function into its caller: then only the caller with what it calls stands out.
    if (functions.length === 0 && !blamed) return compared;
    const calls = callsOf(before, after, stretch.ratio);
    const sources = sourcesOf(plan.sides.at(-1)?.servers[before.server]);
    return defined({ ...compared, functions, blamed, sources, calls });
  };
  return { ...comparison, cases: comparison.cases.map(explained) };
}

/** Names files of tested packages by package, like own ones. @type {(runs: Run[], plan: Plan) => Run[]} */
function asOwnCode(runs, { sides }) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  const names = new Set(servers.flatMap(({ library }) => library?.packages.map(({ name }) => name) ?? []));
  const trials = runs.flatMap(({ cases }) => cases).flatMap((runCase) => runCase.trials);
  const frames = trials.flatMap(({ windows }) => windows).flatMap(({ profiles = [] }) => profiles.flat());
  for (const frame of frames) {
    const [, own, name = ''] = /^node_modules\/((@[^/]+\/[^/]+|[^/]+)\/.*)$/.exec(frame.file) ?? [];
    if (own !== undefined && names.has(name)) frame.file = own;
  }
  return runs;
}

/** @type {(comparison: Comparison, plan: Plan) => Plan['cases']} */
function profiledCases(comparison, { cases, sides }) {
  const slower = comparison.cases.filter(isSlower).map(({ id }) => id);
  const profiled = cases
    .filter(({ id }) => slower.includes(id))
    .flatMap((slowCase) => {
      const [profiler, ...others] = new Set(
        sides.map(({ servers }) => PROFILERS.get(servers[slowCase.server]?.runtime ?? '')),
      );
      if (!profiler || others.length > 0) return [];
      const durationSeconds = Math.min(profiler.load.durationSeconds, slowCase.load.durationSeconds);
      const load = { ...slowCase.load, ...profiler.load, durationSeconds, windows: 1 };
      return defined({ ...slowCase, untilLevel: undefined, load });
    });
  return profiled.slice(0, MOST_CASES);
}

/**
 * Its folder in the checkout; undefined outside of one, and where files are named by packages.
 * @type {(server: Server | undefined) => string | undefined}
 */
function sourcesOf(server) {
  const { buildDir, folder, library } = server ?? {};
  if (library) return undefined;
  const sources = buildDir && folder && relative(treeOf(buildDir), folder);
  return sources?.startsWith('..') ? undefined : sources;
}
