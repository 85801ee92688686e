/**
 * The conductor: walks a plan's rounds, boots and loads one case at a time, and tells what happens as it happens.
 * @import { Case, Failure, Plan, Server, Step, Trial } from '../types.js'
 */

import { prepare } from '../boot/prepare.js';
import { MeasureError } from '../errors.js';
import { isMeasured } from './assemble.js';
import { runTrial } from './trial.js';

/** A case that failed this often is given up: a second try tells a hiccup from a fault, a third only costs time. */
const TRIES = 2;

/** Of all windows, at most this share is measured again because others disturbed it. */
const REPEATED = 1 / 4;

/**
 * What the conductor tells while it works. total: absent where the run ends when everything is decided; left: seconds
 * @typedef {{ done: number, total?: number, left: number }} Standing
 * @typedef {{ type: 'prepare', side: number, server: Server }
 *   | { type: 'start', side: number, case: Case, round: number } & Standing
 *   | { type: 'trial', side: number, case: Case, round: number, trial: Trial } & Standing
 *   | { type: 'skip', side: number, case: Case, failure: Failure }
 *   | { type: 'look', round: number, decided: number }} Progress
 */

/**
 * @param {Plan} plan
 * @param {{
 *   signal: AbortSignal,
 *   now: () => number,
 *   onProgress: (event: Progress) => void,
 *   onTrial: (trials: Trial[][][]) => Promise<void>,
 *   looks?: number[] | undefined,
 *   onLook?: ((trials: Trial[][][], share: number) => Set<string>) | undefined,
 * }} context now: a clock in milliseconds; onLook: is shown what was measured after each of these shares (0 to 1) of the
 *   budget, or of the rounds, and answers with the ids of cases that need no more boots
 * @returns {Promise<Trial[][][]>} trials[side][case], in the order they were measured
 */
export async function conduct(plan, context) {
  const { signal, now, onProgress, looks = [], onLook } = context;
  const { budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  const startedAt = now();
  const elapsed = () => (now() - startedAt) / 1000;
  const trials = plan.sides.map(() => plan.cases.map(() => /** @type {Trial[]} */ ([])));
  await prepareAll(plan, trials, context);

  const preparedAt = elapsed();
  const total = plan.order.flat().length;
  const windows = { measured: 0, repeated: 0 };
  const mayRepeat = () => windows.repeated < windows.measured * REPEATED;
  const decided = new Set();
  let seen = 0;
  let booted = 0;
  let skipped = 0;
  // Every trial of a plan is loaded for about as long, so the mean of those done foretells the rest.
  const each = () => (booted > 0 ? (elapsed() - preparedAt) / booted : plan.estimateSeconds / total);
  const standing = () => {
    const done = booted + skipped;
    const left = Math.min(each() * (total - done), budgetSeconds - elapsed());
    return onLook ? { done: booted, left } : { done, total, left };
  };
  const mine = (/** @type {Step} */ step) => /** @type {Trial[]} */ (trials[step.side]?.[step.case]);
  const isWanted = (/** @type {Step} */ step) =>
    !isGivenUp(mine(step)) && !decided.has(plan.cases[step.case]?.id);

  for (const [round, order] of plan.order.entries()) {
    const steps = order.filter(isWanted);
    skipped += order.length - steps.length;
    // The reference is only measured beside something.
    if (steps.every((step) => plan.cases[step.case]?.reference) && decided.size > 0) return trials;
    if (round > 0 && elapsed() + steps.length * each() > budgetSeconds) return trials;
    for (const step of steps) {
      if (signal.aborted) return trials;
      const of = /** @type {Case} */ (plan.cases[step.case]);
      const server = /** @type {Server} */ (plan.sides[step.side]?.servers[of.server]);
      const event = { side: step.side, case: of, round };
      onProgress({ type: 'start', ...event, ...standing() });
      const { trial, repeated } = await runTrial({ case: of, server, round, signal, mayRepeat });
      // A cancelled trial says nothing of the server unless a window was finished.
      if (trial.failure?.kind === 'cancelled' && trial.windows.length === 0) return trials;
      mine(step).push(trial);
      windows.measured += trial.windows.length;
      windows.repeated += repeated;
      booted++;
      onProgress({ type: 'trial', ...event, ...standing(), trial });
      await context.onTrial(trials);
    }
    const share = Math.max(elapsed() / budgetSeconds, (round + 1) / plan.order.length);
    const due = looks.filter((look) => look > seen && look <= share).at(-1);
    if (onLook && due !== undefined && share < 1) {
      seen = due;
      for (const id of onLook(trials, due)) decided.add(id);
      onProgress({ type: 'look', round, decided: decided.size });
    }
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
  for (const [side, { servers, stamps }] of plan.sides.entries()) {
    for (const server of Object.values(servers)) {
      if (signal.aborted) return;
      onProgress({ type: 'prepare', side, server });
      try {
        await prepare(server, { signal, ...(stamps !== undefined && { stamps }) });
      } catch (error) {
        if (!(error instanceof MeasureError)) throw error;
        if (error.kind === 'cancelled') return;
        const { kind, message, logTail } = error;
        const failure = { kind, message, ...(logTail?.length ? { logTail } : {}) };
        for (const [index, of] of plan.cases.entries()) {
          if (of.server !== server.id || !isMeasured(plan, { side, case: index })) continue;
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
