/**
 * Why a server got slower: a short profiled run of both sides, separate from what is judged.
 * @import { Case, CaseComparison, Comparison, Config, Plan, Run, Server } from '../types.js'
 * @import { Progress } from '../run/conduct.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { relative } from 'node:path';
import { sort, sum } from 'd3-array';
import { treeOf } from '../deploy/source/tree-record.js';
import { callsOf } from '../profile/call-tree.js';
import { changedFunctions, functionToBlame, stretchOf } from '../profile/changed-functions.js';
import { enterProfiled } from '../profile/profilers.js';
import { defined } from '../model/defined.js';
import { LEAST_ROUNDS, PROFILED_ROUNDS } from '../model/times.js';
import { makePlan } from '../plan/plan.js';
import { asProfiled, profiledSeconds, timed, UNFITTED } from '../plan/timetable.js';
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
  const short = { ...config, ...UNFITTED, rounds: PROFILED_ROUNDS, shard: undefined };
  // In a short time one case gets rounds enough, and not two.
  const plans = [cases, cases.slice(0, 1)].map((some) => {
    const own = { ...short, cases: some.map(({ profiled }) => profiled) };
    const whole = makePlan(own, plan.sides, plan.besideSeconds ?? {});
    const rounds = Math.max(...some.map(({ leastRounds }) => (some.length > 1 ? LEAST_ROUNDS : leastRounds)));
    return { whole, leastSeconds: rounds * sum(some, ({ profiled }) => profiledSeconds(profiled, plan)) };
  });
  const { whole } = plans.find(({ leastSeconds }) => leastSeconds <= secondsLeft) ?? {};
  if (!whole) {
    const seconds = Math.ceil(Math.min(...plans.map(({ leastSeconds }) => leastSeconds)) - secondsLeft);
    const warning = { code: /** @type {const} */ ('not-explained'), seconds };
    return { ...comparison, warnings: [...comparison.warnings, warning] };
  }
  const bounded = timed({ ...whole, budgetSeconds: secondsLeft });
  const ids = whole.cases.map(({ id }) => id);
  onProgress({ type: 'explain', cases: ids, seconds: bounded.estimateSeconds });
  const { runs } = await measure(
    { plan: bounded, config: { ...short, cases: whole.cases }, cwd, ...facts },
    { env, dependencies: dependencies(), signal, onProgress, onRuns: async () => {} },
  );
  const [base, head] = asOwnCode(runs, plan);
  /** @type {(compared: CaseComparison) => CaseComparison} */
  const explained = (compared) => {
    const { id } = compared;
    const { metrics } = isSlower(compared) ? compared : (comparison.together ?? compared);
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

/**
 * The slowest first; where only all cases together got slower, the one that did most.
 * @type {(comparison: Comparison, plan: Plan) => { profiled: Case, leastRounds: number }[]}
 */
function profiledCases({ cases, together }, plan) {
  const slower = cases.filter(isSlower);
  const isOfAll = slower.length === 0 && together && isSlower(together);
  const found = isOfAll ? cases.filter(({ role }) => !role) : slower;
  const all = sort(found, (compared) => -slowdownOf(compared)).flatMap(({ id }) => {
    const planned = plan.cases.find((each) => each.id === id);
    const { profiled, leastRounds = 0 } = planned ? asProfiled(planned, plan.sides) : {};
    return profiled ? [{ profiled, leastRounds }] : [];
  });
  return all.slice(0, isOfAll ? 1 : MOST_CASES);
}

/** In percent of CPU time, or of the time that throughput says. @param {CaseComparison} compared */
function slowdownOf({ metrics }) {
  const effectOf = (/** @type {string} */ id) => metrics.find(({ metric }) => metric === id)?.effectPct;
  return effectOf('cpuPerRequest') ?? -(effectOf('throughput') ?? 0);
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
