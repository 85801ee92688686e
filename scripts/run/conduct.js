/**
 * The conductor: walks a plan's rounds, has each group measured, and tells what happens as it happens.
 * @import { Case, Failure, Plan, Server, Step, Trial, Warning } from '../types.js'
 * @import { Service } from '../deploy/services/start.js'
 * @import { MeasureError } from '../model/errors.js'
 * @import { Earlier } from './resume-state.js'
 * @import { Means } from './dependencies.js'
 */

import { sum } from 'd3-array';
import { failureOf } from '../model/errors.js';
import { trialSeconds } from '../plan/plan.js';
import { isWhole, lookDue, wantedIn } from './remaining-work.js';
import { isMeasured } from './record/assemble.js';
import { startDurations } from './durations.js';
import { startNeighbours } from './isolation.js';
import { prepareAll } from './prepare/preparation.js';

/**
 * What the conductor tells while it works. total: absent where the run ends when everything is decided; left: seconds
 * @typedef {{ done: number, total?: number, left: number }} Standing
 * @typedef {{ type: 'prepare', side: number, server: Server, command?: string | undefined, seconds?: number }
 *   | { type: 'wait', side: number, server: Server, pid: number }
 *   | { type: 'start', members: { side: number, case: Case }[], round: number } & Standing
 *   | { type: 'trial', side: number, case: Case, round: number, trial: Trial } & Standing
 *   | { type: 'skip', side: number, case: Case, failure: Failure }
 *   | { type: 'look', round: number, decided: number }
 *   | { type: 'explain', cases: string[], seconds: number }} Progress seconds: at most, or so far
 */

/**
 * trials: by side and case, in the order they were measured.
 * @typedef {{ trials: Trial[][][], warnings: Warning[] }} Measured
 */

/**
 * env: where programs are found; services: those the servers need; earlier: what an interrupted run has measured; onMeasured: is
 * shown everything after each group; onLook: is shown it after the last round that ends within each of the shares `looks` (0 to 1)
 * of the budget, or of the rounds, or as soon after that as `leastRounds` are measured; it gets that share, and returns the ids of
 * cases that need no more boots.
 * @typedef {{
 *   signal: AbortSignal,
 *   env: NodeJS.ProcessEnv,
 *   means: Means,
 *   services: string[],
 *   earlier?: Earlier,
 *   onProgress: (event: Progress) => void,
 *   onMeasured: (measured: Measured) => Promise<void>,
 *   looks?: number[] | undefined,
 *   leastRounds?: number | undefined,
 *   onLook?: ((measured: Measured, share: number) => Set<string>) | undefined,
 * }} Context
 */

/**
 * @param {Plan} plan
 * @param {Context} context
 * @returns {Promise<Measured & { elapsed: () => number }>} elapsed: seconds since measuring began, that of an interrupted run included
 */
export async function conduct(plan, context) {
  const { earlier } = context;
  const trials = plan.sides.map((_, side) =>
    plan.cases.map((_, of) => [...(earlier?.trials[side]?.[of] ?? [])]),
  );
  /** @type {Measured} */
  const measured = { trials, warnings: [] };
  const { onProgress } = context;
  await prepareAll(plan.sides, {
    ...{ means: context.means, signal: context.signal },
    onStart: ({ side, server }) => onProgress({ type: 'prepare', side, server }),
    onStill: ({ side, server }, working) => onProgress({ type: 'prepare', side, server, ...working }),
    onWait: ({ side, server }, pid) => onProgress({ type: 'wait', side, server, pid }),
    onLeft: ({ server }, names) => measured.warnings.push(leftBehind(server, names)),
    onFailure: ({ side, server }, error) => failAll({ plan, trials, side, server, onProgress }, error),
  });
  if (context.signal.aborted) return { ...measured, elapsed: () => earlier?.seconds ?? 0 };
  const { env, signal, means } = context;
  const services = await means.startServices(context.services, { sides: plan.sides.length, env, signal });
  // The clock starts here, after everything was prepared.
  const startedAt = means.now();
  const elapsed = () => (means.now() - startedAt) / 1000 + (earlier?.seconds ?? 0);
  try {
    if (!signal.aborted) failWithout(services.started, plan, trials, context);
    await walk(plan, { ...context, services: services.started, elapsed }, measured);
  } finally {
    await services.stop();
  }
  return { ...measured, elapsed };
}

/**
 * @param {Server} server
 * @param {string[]} names
 * @returns {Warning}
 */
function leftBehind({ id }, names) {
  return { code: 'left-behind', server: id, programs: [...new Set(names)] };
}

/**
 * @param {Plan} plan
 * @param {Omit<Context, 'services'> & { services: Service[], elapsed: () => number }} context
 * @param {Measured} measured that it adds to
 */
async function walk(plan, context, measured) {
  const {
    signal,
    means,
    elapsed,
    onProgress,
    onMeasured,
    looks = [],
    leastRounds = 1,
    onLook,
    earlier,
  } = context;
  const { budgetSeconds = Number.POSITIVE_INFINITY } = plan;
  const total = plan.order.flat(2).length;
  const durations = startDurations((of) => trialSeconds(of, plan.bootSeconds));
  const decided = new Set(earlier?.decided);
  let seen = earlier?.seen ?? 0;
  let booted = measured.trials.flat(2).length;
  let skipped = 0;
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (plan.cases[step.case]);
  const mine = (/** @type {Step} */ step) => /** @type {Trial[]} */ (measured.trials[step.side]?.[step.case]);
  const wanted = (/** @type {number} */ round) => wantedIn(round, plan, { ...measured, decided });
  /** @param {Step[][]} groups @returns {number} seconds */
  const secondsOf = (groups) => sum(groups.flat(), (step) => durations.secondsOf(caseOf(step)));
  // Every boot of a plan is loaded for about as long, so the mean of those done foretells the rest.
  const each = () => (booted > 0 ? elapsed() / booted : plan.estimateSeconds / total);
  const standing = () => {
    const done = booted + skipped;
    const left = Math.max(0, Math.min(each() * (total - done), budgetSeconds - elapsed()));
    return onLook ? { done: booted, left } : { done, total, left };
  };
  const measure = startNeighbours({
    ...{ plan, signal, elapsed, means, services: context.services, warnings: measured.warnings },
    onStart: (members, round) =>
      onProgress({
        type: 'start',
        members: members.map(({ step, case: of }) => ({ side: step.side, case: of })),
        round,
        ...standing(),
      }),
  });

  for (const [round, planned] of plan.order.entries()) {
    const left = wanted(round);
    skipped += planned.flat().length - left.flat().length;
    if (left.flat().every((step) => caseOf(step).reference) && decided.size > 0) return;
    const groups = left.filter((group) => !isWhole(group, round, measured.trials));
    if (groups.length === 0 && left.length > 0) continue;
    if (round > 0 && elapsed() + secondsOf(groups) > budgetSeconds) {
      measured.warnings.push({ code: 'budget-ended', seconds: budgetSeconds, rounds: round });
      return;
    }
    for (const group of groups) {
      for await (const outcomes of measure(group, round)) {
        // A cancelled trial says nothing of the server unless a window was finished.
        const told = outcomes.filter(
          ({ trial }) => trial.failure?.kind !== 'cancelled' || trial.windows.length > 0,
        );
        for (const { member, trial, seconds } of told) {
          mine(member.step).push(trial);
          booted++;
          durations.note(member.case, seconds);
          onProgress({
            type: 'trial',
            side: member.step.side,
            case: member.case,
            round,
            ...standing(),
            trial,
          });
        }
        if (told.length > 0) await onMeasured(measured);
      }
      if (signal.aborted) return;
    }
    const endOfNext = elapsed() + secondsOf(wanted(round + 1));
    const next = Math.max(endOfNext / budgetSeconds, (round + 2) / plan.order.length);
    const due = lookDue(looks, { seen, next });
    if (onLook && due !== undefined && round + 1 >= leastRounds) {
      seen = due;
      for (const id of onLook(measured, due)) decided.add(id);
      onProgress({ type: 'look', round, decided: decided.size });
    }
  }
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
function failAll({ plan, trials, side, server, onProgress }, error) {
  const failure = failureOf(error);
  for (const [index, of] of plan.cases.entries()) {
    if (of.server !== server.id || !isMeasured(plan, { side, case: index })) continue;
    trials[side]?.[index]?.push({ round: 0, failure, windows: [] });
    onProgress({ type: 'skip', side, case: of, failure });
  }
}
