/**
 * The conductor: walks a plan's rounds, boots and loads one case at a time, and tells what happens as it happens.
 * @import { Case, Failure, Plan, Server, Step, Trial } from '../types.js'
 * @import { Service } from '../boot/services.js'
 */

import { prepare } from '../boot/prepare.js';
import { startServices } from '../boot/services.js';
import { MeasureError } from '../errors.js';
import { addressVariables } from '../plan/services.js';
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
 * now: a clock in milliseconds; env: where programs are found; services: those the servers need; onLook: is shown
 * what was measured after each of the shares `looks` (0 to 1) of the budget, or of the rounds, and answers with the ids of
 * cases that need no more boots.
 * @typedef {{
 *   signal: AbortSignal,
 *   now: () => number,
 *   env: NodeJS.ProcessEnv,
 *   services: string[],
 *   onProgress: (event: Progress) => void,
 *   onTrial: (trials: Trial[][][]) => Promise<void>,
 *   looks?: number[] | undefined,
 *   onLook?: ((trials: Trial[][][], share: number) => Set<string>) | undefined,
 * }} Context
 */

/**
 * @param {Plan} plan
 * @param {Context} context
 * @returns {Promise<Trial[][][]>} trials[side][case], in the order they were measured
 */
export async function conduct(plan, context) {
  const startedAt = context.now();
  const trials = plan.sides.map(() => plan.cases.map(() => /** @type {Trial[]} */ ([])));
  await prepareAll(plan, trials, context);
  if (context.signal.aborted) return trials;
  const { env, signal } = context;
  const services = await startServices(context.services, { sides: plan.sides.length, env, signal });
  try {
    failWithout(services.started, plan, trials, context);
    await walk(plan, { ...context, startedAt, services: services.started }, trials);
  } finally {
    await services.stop();
  }
  return trials;
}

/**
 * @param {Plan} plan
 * @param {Omit<Context, 'services'> & { startedAt: number, services: Service[] }} context startedAt: by its clock
 * @param {Trial[][][]} trials that it adds to
 */
async function walk(plan, context, trials) {
  const { signal, now, startedAt, services, onProgress, looks = [], onLook } = context;
  const { budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  const elapsed = () => (now() - startedAt) / 1000;
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
    const left = Math.max(0, Math.min(each() * (total - done), budgetSeconds - elapsed()));
    return onLook ? { done: booted, left } : { done, total, left };
  };
  const mine = (/** @type {Step} */ step) => /** @type {Trial[]} */ (trials[step.side]?.[step.case]);
  const isWanted = (/** @type {Step} */ step) =>
    !isGivenUp(mine(step)) && !decided.has(plan.cases[step.case]?.id);

  for (const [round, order] of plan.order.entries()) {
    const steps = order.filter(isWanted);
    skipped += order.length - steps.length;
    // The reference is only measured beside something.
    if (steps.every((step) => plan.cases[step.case]?.reference) && decided.size > 0) return;
    if (round > 0 && elapsed() + steps.length * each() > budgetSeconds) return;
    for (const step of steps) {
      if (signal.aborted) return;
      const of = /** @type {Case} */ (plan.cases[step.case]);
      const server = /** @type {Server} */ (plan.sides[step.side]?.servers[of.server]);
      const event = { side: step.side, case: of, round };
      onProgress({ type: 'start', ...event, ...standing() });
      const { trial, repeated } = await runTrial({
        case: of,
        server,
        round,
        signal,
        mayRepeat,
        services: servicesOf(server, services, step.side),
      });
      // A cancelled trial says nothing of the server unless a window was finished.
      if (trial.failure?.kind === 'cancelled' && trial.windows.length === 0) return;
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
}

/**
 * @param {Server} server
 * @param {Service[]} services
 * @param {number} side
 */
function servicesOf({ needs }, services, side) {
  const used = services.filter(({ id }) => needs.includes(id));
  return {
    env: Object.assign({}, ...used.map(({ id, urlOf }) => addressVariables(id, urlOf(side)))),
    groups: services.flatMap(({ group }) => group?.pid ?? []),
  };
}

/**
 * What needs a service that did not come up cannot be measured.
 * @param {Service[]} services
 * @param {Plan} plan
 * @param {Trial[][][]} trials
 * @param {Context} context
 */
function failWithout(services, plan, trials, { onProgress }) {
  for (const { id, failure } of services) {
    if (!failure) continue;
    for (const [side, { servers }] of plan.sides.entries())
      for (const server of Object.values(servers).filter(({ needs }) => needs.includes(id)))
        failAll({ plan, trials, side, server, onProgress }, failure);
  }
}

/**
 * @param {{ plan: Plan, trials: Trial[][][], side: number, server: Server, onProgress: Context['onProgress'] }} where
 * @param {MeasureError} error
 */
function failAll({ plan, trials, side, server, onProgress }, { kind, message, logTail }) {
  const failure = { kind, message, ...(logTail?.length ? { logTail } : {}) };
  for (const [index, of] of plan.cases.entries()) {
    if (of.server !== server.id || !isMeasured(plan, { side, case: index })) continue;
    trials[side]?.[index]?.push({ round: 0, failure, windows: [] });
    onProgress({ type: 'skip', side, case: of, failure });
  }
}

/**
 * Installs and builds every server before the first is measured, so that no compiler runs beside a measurement.
 * @param {Plan} plan
 * @param {Trial[][][]} trials
 * @param {Context} context
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
        failAll({ plan, trials, side, server, onProgress }, error);
      }
    }
  }
}

/** @param {Trial[]} trials */
function isGivenUp(trials) {
  const failures = trials.flatMap((trial) => trial.failure ?? []);
  return failures.length >= TRIES || failures.some(({ kind }) => kind.endsWith('-failed'));
}
