/**
 * What a session does while it measures: shows progress, keeps the runs, looks whether cases are decided.
 * @import { Config, Plan, Run } from '../types.js'
 * @import { Output } from '../system/terminal-output.js'
 */

import { join } from 'node:path';
import { alphasOfLooks, decidedCases, LOOKS } from '../judge/alpha-spending.js';
import { looksSlower } from '../judge/case-verdict.js';
import { compare } from '../judge/compare.js';
import { controlsToPromote } from '../judge/control-cases.js';
import { LEAST_ROUNDS } from '../model/times.js';
import { progressOn } from '../run/record/progress.js';
import { UNFINISHED } from '../store/result-files.js';
import { writeRuns } from './results.js';

/**
 * @param {Plan} plan
 * @param {Config} config
 * @param {{ out: string, stderr: Output, stored: Run | undefined }} context out: absolute; stored: baseline
 */
export function watching(plan, config, { out, stderr, stored }) {
  const progress = progressOn(stderr, plan.sides.length > 1);
  const isLooked = (stored !== undefined || plan.sides.length > 1) && Number.isFinite(plan.budgetSeconds);
  const look = (/** @type {Run[]} */ runs) => {
    const { base, head } = /** @type {{ base: Run, head: Run }} */ (pairOf(runs, stored));
    const comparison = compare(base, head, { ...config, alpha: alphasOfLooks(head).at(-1) });
    const { cases, together } = comparison;
    return {
      decided: decidedCases(comparison, config.gates),
      looksSlower: cases.some(looksSlower) || (together !== undefined && looksSlower(together)),
    };
  };
  return {
    onProgress: progress.show,
    onRuns: (/** @type {Run[]} */ runs) => writeRuns(join(out, UNFINISHED), runs),
    /** Within a budget, decided cases are not started again. */
    promote: (/** @type {Run[]} */ [base, head]) =>
      base && head ? controlsToPromote(base, head) : new Set(),
    looks: isLooked ? { shares: LOOKS, leastRounds: LEAST_ROUNDS, look } : undefined,
    end: progress.end,
  };
}

/** One run a side. @type {(runs: Run[], stored: Run | undefined) => { base: Run | undefined, head: Run }} */
export function pairOf(runs, stored) {
  const [first, second] = /** @type {[Run, Run?]} */ (runs);
  return second ? { base: first, head: second } : { base: stored, head: first };
}
