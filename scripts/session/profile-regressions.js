/**
 * Why a server got slower: a short profiled run of both sides, separate from what is judged.
 * @import { CaseComparison, Comparison, Config, Plan, Run } from '../types.js'
 * @import { Profiler } from '../profile/profilers.js'
 * @import { Progress } from '../run/conduct.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { callsOf } from '../profile/flame.js';
import { changedFunctions, stretchOf } from '../profile/functions.js';
import { PROFILERS } from '../profile/profilers.js';
import { makePlan, withBoots } from '../plan/plan.js';
import { measure } from '../run/measure.js';
import { isSlower } from './slower.js';

/** Enough to find a function that costs a twentieth of a request. */
const ROUNDS = 10;
/** Fewer show nothing. */
const LEAST_ROUNDS = 4;
/** Several slower cases usually share one reason. */
const MOST_CASES = 2;

/**
 * @param {{ plan: Plan, config: Config }} asked plan: the measured one, with two sides
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal, facts: Pick<Run, 'session'> & { command: string }, onProgress: (event: Progress) => void,
 *   dependencies: () => Dependencies, secondsLeft: () => number }} context dependencies: of a profiled run; secondsLeft: of the budget
 * @returns {(comparison: Comparison) => Promise<Comparison>} adds the functions that changed to the cases that got slower
 */
export function explaining(
  { plan, config },
  { cwd, env, signal, facts, onProgress, dependencies, secondsLeft },
) {
  return async (comparison) => {
    const slower = comparison.cases.filter(isSlower);
    const regressed = slower.map(({ id }) => id);
    const cases = plan.cases
      .filter(({ id }) => regressed.includes(id))
      .flatMap(({ untilLevel: _, ...slowCase }) => {
        const { load } = profilerOf(plan, slowCase.server) ?? {};
        if (!load) return [];
        const durationSeconds = Math.min(load.durationSeconds, slowCase.load.durationSeconds);
        return [{ ...slowCase, load: { ...slowCase.load, ...load, durationSeconds, windows: 1 } }];
      })
      .slice(0, MOST_CASES);
    if (cases.length === 0 || signal.aborted || comparison.against === 'self') return comparison;
    const { budgetSeconds: _, shard: __, ...rest } = config;
    const short = { ...rest, cases, rounds: ROUNDS };
    const whole = withBoots(makePlan(short, plan.sides), plan.bootSeconds ?? {});
    const least = Math.ceil((whole.estimateSeconds * LEAST_ROUNDS) / ROUNDS);
    const left = secondsLeft();
    if (least > left)
      return {
        ...comparison,
        warnings: [...comparison.warnings, { code: 'not-explained', seconds: Math.ceil(least - left) }],
      };
    const bounded = Number.isFinite(left) ? { budgetSeconds: left } : {};
    const seconds = Math.min(left, whole.estimateSeconds);
    onProgress({ type: 'explain', cases: cases.map(({ id }) => id), seconds });
    const {
      runs: [base, head],
    } = await measure(
      { plan: { ...whole, ...bounded }, config: { ...short, ...bounded }, cwd, ...facts },
      { env, dependencies: dependencies(), signal, onProgress, onRuns: async () => {} },
    );
    /** @param {CaseComparison} compared @returns {CaseComparison} */
    const explained = (compared) => {
      const { id, metrics } = compared;
      const [before, after] = [base, head].map((run) => run?.cases.find((measured) => measured.id === id));
      const stretch = stretchOf(metrics);
      if (!before || !after || !stretch) return compared;
      const functions = changedFunctions(before, after, stretch);
      return functions.length > 0
        ? { ...compared, functions, calls: callsOf(before, after, stretch.ratio) }
        : compared;
    };
    return {
      ...comparison,
      cases: comparison.cases.map((compared) =>
        cases.some(({ id }) => id === compared.id) ? explained(compared) : compared,
      ),
    };
  };
}

/** @param {Plan} plan @param {string} server @returns {Profiler | undefined} the profiler that both sides share, if any */
function profilerOf({ sides }, server) {
  const [profiler, ...others] = new Set(
    sides.map((side) => PROFILERS.get(side.servers[server]?.runtime ?? '')),
  );
  return others.length === 0 ? profiler : undefined;
}
