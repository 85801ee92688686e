/**
 * The conductor: prepares the servers, then measures a plan's rounds and reports what happens.
 * @import { Case, Config, Failure, Plan, Server, Side, Step, Trial, Trials, Warning } from '../types.js'
 * @import { Task } from './prepare/preparation.js'
 * @import { MeasureError } from '../model/errors.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { Looks } from './next-action.js'
 * @import { Service } from './server-run.js'
 * @import { Seen, Trees } from './isolation.js'
 */

import { mean, merge, sort, sum } from 'd3-array';
import { failureOf } from '../model/errors.js';
import { trialSeconds } from '../plan/timetable.js';
import { measureGroup, seenOf } from './isolation.js';
import { nextAction } from './next-action.js';
import { compareStarts, reservedSeconds } from './starts.js';
import { prepareAll, setUpAll } from './prepare/preparation.js';

/**
 * Starts that are over, those planned (absent where looks may end the run), and the seconds left.
 * @typedef {{ done: number, total?: number, left: number }} Standing
 *
 * What the conductor reports. `seconds`: so far, or at most.
 * @typedef {{ type: 'prepare', side: Side, server: Server, command?: string, seconds?: number }
 *   | { type: 'wait', side: Side, server: Server, pid: number }
 *   | { type: 'start', members: Step[] } & Standing
 *   | { type: 'trial', round: number, trial: Trial } & Step & Standing
 *   | { type: 'skip', failure: Failure } & Step
 *   | { type: 'look', round: number, decided: number }
 *   | { type: 'explain', cases: string[], seconds: number }} Progress
 *
 * @typedef {{ trials: Trials, warnings: Warning[] }} Measured
 *
 * Judges what was measured when this share of the budget, or of the rounds, was due; returns the ids of
 * cases that need no more starts.
 * @typedef {(measured: Measured, share: number) => Set<string>} Look
 *
 * @typedef {object} Context
 * @property {AbortSignal} signal ends the measuring
 * @property {NodeJS.ProcessEnv} env where programs are found
 * @property {Dependencies} dependencies
 * @property {string[]} services that the servers need
 * @property {boolean} [isCounting] whether these count statements although that costs something
 * @property {(event: Progress) => void} onProgress
 * @property {(measured: Measured) => Promise<void>} onMeasured gets all measured so far after each group
 * @property {Config['gates']} [gates] of figures with a gate of their own
 * @property {Looks & { look: Look }} [looks] may end the measurement of cases early
 *
 * @param {Plan} plan
 * @param {Context} context
 * @returns {Promise<Measured & { elapsed: () => number }>} elapsed: seconds since measuring began
 */
export async function conduct(plan, context) {
  const { env, signal, dependencies, onProgress } = context;
  const { sides } = plan;
  /** @type {Measured} */
  const measured = { trials: noTrials(plan), warnings: [] };
  /** @type {Set<Task>} nothing is measured of their servers */
  const broken = new Set();
  const fail = (/** @type {Task} */ task, /** @type {MeasureError} */ error) => {
    const { side, server } = task;
    const failure = failureOf(error, dependencies.conceal);
    broken.add(task);
    for (const [step, trials] of measured.trials) {
      if (step.side !== side || step.case.server !== server.id) continue;
      trials.push({ round: 0, failure, windows: [] });
      onProgress({ type: 'skip', ...step, failure });
    }
  };
  const preparing = {
    dependencies,
    signal,
    onProgress,
    onLeft: (/** @type {Task} */ { server }, /** @type {string[]} */ names) =>
      measured.warnings.push({ code: 'left-behind', server: server.id, programs: [...new Set(names)] }),
    onFailure: fail,
  };
  const tasks = sides.flatMap((side) => Object.values(side.servers).map((server) => ({ side, server })));
  await prepareAll(tasks, preparing);
  if (signal.aborted) return { ...measured, elapsed: () => 0 };
  const trees = dependencies.keepTrees([...new Set(tasks.flatMap(({ server }) => server.buildDir ?? []))]);

  const running = await dependencies.startServices(context.services, {
    ...{ sides: sides.length, isCounting: context.isCounting, env, signal },
  });
  const services = running.started.map(({ urlOf, statementsOf, ...service }) => ({
    ...service,
    urlOf: (/** @type {Side} */ side) => urlOf(sides.indexOf(side)),
    ...(statementsOf && {
      statementsOf: (/** @type {Side} */ side) => statementsOf(sides.indexOf(side)),
    }),
  }));
  let startedAt = dependencies.now();
  const elapsed = () => (dependencies.now() - startedAt) / 1000;
  try {
    // What was cancelled before anything was measured has not failed.
    const dead = signal.aborted ? [] : services.filter(({ failure }) => failure);
    for (const task of tasks) {
      const { failure } = dead.find(({ id }) => task.server.needs.includes(id)) ?? {};
      if (failure) fail(task, failure);
    }
    const whole = tasks.filter((task) => !broken.has(task));
    await setUpAll(whole, services, preparing);
    trees.keepSetUp();
    startedAt = dependencies.now();
    await measureRounds(plan, { ...context, services, trees, elapsed }, measured);
  } finally {
    await running.stop();
    trees.end();
  }
  return { ...measured, elapsed };
}

/** Of its steps, before the first start. @type {(plan: Plan) => Trials} */
function noTrials({ sides, cases, order }) {
  const placeOf = (/** @type {Step} */ step) =>
    sides.length * cases.indexOf(step.case) + sides.indexOf(step.side);
  return new Map(sort(new Set(order.flat(2)), placeOf).map((step) => [step, []]));
}

/**
 * @param {Plan} plan
 * @param {Omit<Context, 'services'> & { services: Service[], trees: Trees, elapsed: () => number }} context
 * @param {Measured} measured gets what is measured
 */
async function measureRounds(plan, context, measured) {
  const { signal, dependencies, services, trees, elapsed, onProgress, onMeasured, looks, gates } = context;
  const { budgetSeconds, timetable } = plan;
  const { trials, warnings } = measured;
  /** @type {Map<Case, number[]>} seconds of starts */
  const durations = new Map();
  const situation = {
    trials,
    decided: new Set(),
    rounds: 0,
    isNew: false,
    lastLook: 0,
    secondsOf: (/** @type {Case} */ planned) =>
      mean(durations.get(planned) ?? []) ?? trialSeconds(planned, plan.besideSeconds),
  };
  const total = plan.order.flat(2).length;
  let [done, remaining] = [merge(trials.values()).length, total];
  /** behind: starts that are over and not reported yet. @type {(behind?: number) => Standing} */
  const standing = (behind = 0) => {
    // The starts of a plan take about equally long.
    const seconds = done > 0 ? elapsed() / done : plan.estimateSeconds / total;
    const left = Math.max(0, Math.min(seconds * remaining, budgetSeconds - elapsed()));
    return looks ? { done: done - behind, left } : { done: total - remaining - behind, total, left };
  };
  /** @type {Map<Case, Seen>} */
  const seen = new Map();
  const surroundings = {
    ...{ plan, signal, elapsed, dependencies, services, trees, warnings, seen },
    onStart: (/** @type {Step[]} */ members) => onProgress({ type: 'start', members, ...standing() }),
  };

  const secondsOf = (/** @type {Step[]} */ steps) => sum(steps, (step) => situation.secondsOf(step.case));

  while (!signal.aborted) {
    const reserved = Math.min(reservedSeconds(plan, trials, gates), timetable.mostReservedSeconds);
    const action = nextAction(plan, { ...situation, elapsed: elapsed() + reserved }, looks);
    if (action.type === 'end') {
      if (action.reason === 'budget') {
        const loaded = merge(trials.values()).filter(({ windows }) => windows.length > 0);
        const rounds = new Set(loaded.map((trial) => trial.round)).size;
        const needed = (looks?.leastRounds ?? 1) * secondsOf(plan.order[0]?.flat() ?? []);
        const known = { rounds, ...(rounds === 0 && { needed }) };
        warnings.push({ code: 'budget-ended', seconds: budgetSeconds, ...known });
      }
      const isSeparate = (/** @type {Step} */ step) => Boolean(seenOf(seen, step).alone?.beside);
      const known = { secondsLeft: () => budgetSeconds - elapsed(), gates, isSeparate };
      return compareStarts(plan, trials, { services, trees, dependencies, signal, ...known });
    }
    if (action.type === 'look') {
      for (const id of looks?.look(measured, action.share) ?? []) situation.decided.add(id);
      Object.assign(situation, { isNew: false, lastLook: action.share });
      onProgress({ type: 'look', round: situation.rounds - 1, decided: situation.decided.size });
      continue;
    }
    const { round, groups } = action;
    remaining = plan.order.slice(round + 1).flat(2).length + groups.flat().length;
    for (const [index, group] of groups.entries()) {
      if (signal.aborted) return;
      const left = budgetSeconds - elapsed() - secondsOf(groups.slice(index + 1).flat());
      const bounds = { round, seconds: Math.max(left, secondsOf(group)) };
      for await (const ran of measureGroup(group, bounds, surroundings)) {
        // A trial cancelled, or ended by the budget, says nothing of the server without a finished window.
        const kept = ran.filter(
          ({ step, trial }) =>
            trial.failure?.kind !== 'cancelled' ||
            trial.windows.length > 0 ||
            !(signal.aborted || trials.get(step)?.length),
        );
        const over = kept.filter(({ isRepeated }) => !isRepeated).length;
        [done, remaining] = [done + over, remaining - over];
        for (const [place, { step, trial, seconds, isRepeated }] of kept.entries()) {
          trials.get(step)?.push(trial);
          if (!isRepeated) durations.set(step.case, [...(durations.get(step.case) ?? []), seconds]);
          const now = standing(kept.length - 1 - place);
          onProgress({ type: 'trial', ...step, round, ...now, trial });
        }
        if (kept.length > 0) await onMeasured(measured);
      }
    }
    Object.assign(situation, { rounds: round + 1, isNew: true });
  }
}
