/**
 * The conductor: walks a plan's rounds, boots and loads one case at a time, and tells what happens as it happens.
 * @import { Case, Failure, Plan, Server, Trial } from '../types.js'
 */

import { prepare } from '../boot/prepare.js';
import { MeasureError } from '../errors.js';
import { runTrial } from './trial.js';

/** A case that failed this often is given up: a second try tells a hiccup from a fault, a third only costs time. */
const TRIES = 2;

/**
 * What the conductor tells while it works.
 * @typedef {{ type: 'prepare', side: number, server: Server }
 *   | { type: 'start', side: number, case: Case, round: number, done: number, total: number, left: number }
 *   | { type: 'trial', side: number, case: Case, round: number, done: number, total: number, left: number, trial: Trial }
 *   | { type: 'skip', side: number, case: Case, failure: Failure }} Progress
 */

/**
 * @param {Plan} plan
 * @param {{
 *   signal: AbortSignal,
 *   now: () => number,
 *   budgetSeconds?: number | undefined,
 *   onProgress: (event: Progress) => void,
 *   onTrial: (trials: Trial[][][]) => Promise<void>,
 * }} context now: a clock in milliseconds; no round is begun that would end after the budget
 * @returns {Promise<Trial[][][]>} trials[side][case], in the order they were measured
 */
export async function conduct(plan, context) {
  const { signal, now, onProgress } = context;
  const trials = plan.sides.map(() => plan.cases.map(() => /** @type {Trial[]} */ ([])));
  await prepareAll(plan, trials, context);

  const startedAt = now();
  const elapsed = () => (now() - startedAt) / 1000;
  const total = plan.order.flat().length;
  let done = 0;
  // Every trial of a plan is loaded for about as long, so the mean of those done foretells the rest.
  const progress = () => {
    const each = done > 0 ? elapsed() / done : plan.estimateSeconds / total;
    return { done, total, left: each * (total - done) };
  };
  for (const [round, order] of plan.order.entries()) {
    for (const step of order) {
      if (signal.aborted) return trials;
      const of = /** @type {Case} */ (plan.cases[step.case]);
      const server = /** @type {Server} */ (plan.sides[step.side]?.servers[of.server]);
      const mine = /** @type {Trial[]} */ (trials[step.side]?.[step.case]);
      if (!isGivenUp(mine)) {
        const event = { side: step.side, case: of, round };
        onProgress({ type: 'start', ...event, ...progress() });
        const trial = await runTrial({ case: of, server, round, signal });
        // A cancelled trial says nothing of the server unless a window was finished.
        if (trial.failure?.kind === 'cancelled' && trial.windows.length === 0) return trials;
        mine.push(trial);
        done++;
        onProgress({ type: 'trial', ...event, ...progress(), trial });
        await context.onTrial(trials);
      } else done++;
    }
    const nextRoundEnds = (elapsed() / (round + 1)) * (round + 2);
    if (context.budgetSeconds !== undefined && nextRoundEnds > context.budgetSeconds) return trials;
  }
  return trials;
}

/**
 * Installs and builds every server before the first is measured, so that no compiler runs beside a measurement.
 * @param {Plan} plan
 * @param {Trial[][][]} trials
 * @param {Parameters<typeof conduct>[1]} context
 */
async function prepareAll(plan, trials, { signal, onProgress }) {
  for (const [side, { servers }] of plan.sides.entries()) {
    for (const server of Object.values(servers)) {
      if (signal.aborted) return;
      onProgress({ type: 'prepare', side, server });
      try {
        await prepare(server, { signal });
      } catch (error) {
        if (!(error instanceof MeasureError)) throw error;
        if (error.kind === 'cancelled') return;
        const { kind, message, logTail } = error;
        const failure = { kind, message, ...(logTail?.length ? { logTail } : {}) };
        for (const [index, of] of plan.cases.entries()) {
          if (of.server !== server.id) continue;
          trials[side]?.[index]?.push({ round: 0, failure, windows: [] });
          onProgress({ type: 'skip', side, case: of, failure });
        }
      }
    }
  }
}

/** @param {Trial[]} trials */
function isGivenUp(trials) {
  const failures = trials.flatMap((trial) => trial.failure ?? []);
  return failures.length >= TRIES || failures.some(({ kind }) => kind.endsWith('-failed'));
}
