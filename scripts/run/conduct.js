/**
 * The conductor: prepares the servers, then measures a plan's rounds and reports what happens.
 * @import { Case, Config, Failure, Plan, Server, Side, Step, Touched, Trial, Trials,
 *   Warning } from '../types.js'
 * @import { Task } from './prepare/preparation.js'
 * @import { MeasureError } from '../model/errors.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { Looks } from './next-action.js'
 * @import { Service } from '../deploy/services/start-services.js'
 * @import { Seen, Trees } from './isolation.js'
 */

import { mean, merge, sort, sum } from 'd3-array';
import { SERVICES } from '../deploy/services.js';
import { failureOf } from '../model/errors.js';
import { isControl } from '../model/is-control.js';
import { trialSeconds } from '../plan/timetable.js';
import { measureGroup, seenOf } from './isolation.js';
import { planWith } from '../plan/plan.js';
import { promoted } from '../plan/roles.js';
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
 *   | { type: 'scout', members: Step[] }
 *   | { type: 'start', members: Step[] } & Standing
 *   | { type: 'trial', round: number, trial: Trial } & Step & Standing
 *   | { type: 'skip', failure: Failure } & Step
 *   | { type: 'look', round: number, decided: number }
 *   | { type: 'explain', cases: string[], seconds: number }} Progress
 *
 * plan: as it was measured, with the roles of its cases
 * @typedef {{ plan: Plan, trials: Trials, warnings: Warning[], touched?: Touched }} Measured
 *
 * Judges what was measured when this share of the budget, or of the rounds, was due. decided: ids of cases
 * that need no more starts; looksSlower: whether one has to be explained, as it looks.
 * @typedef {(measured: Measured, share: number) => { decided: Set<string>, looksSlower?: boolean }} Look
 *
 * Starts servers before the first load, outside of the budget, to decide which cases are measured in full.
 * @typedef {object} Scout
 * @property {Dependencies} dependencies
 * @property {(plan: Plan) => Plan} startsOf what it starts, without load
 * @property {(trials: Trials) => Touched} learn from what these showed
 * @property {(plan: Plan, touched: Touched) => Plan} rolesOf
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
 * @property {Scout} [scout]
 * @property {(measured: Measured) => Set<string>} [promote] ids of controls that become full cases, judged
 *   after each round
 *
 * @typedef {Omit<Context, 'services'> &
 *   { services: Service[], trees: Trees, elapsed: () => number }} Measuring
 *
 * @param {Plan} plan
 * @param {Context} context
 * @returns {Promise<Measured & { elapsed: () => number }>} elapsed: seconds since measuring began
 */
export async function conduct(plan, context) {
  const { env, signal, dependencies, onProgress } = context;
  const { sides } = plan;
  /** @type {Measured} */
  const measured = { plan, trials: noTrials(plan), warnings: [] };
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
    ...{ dependencies, signal, onProgress },
    onLeft: (/** @type {Task} */ { server }, /** @type {string[]} */ names) =>
      measured.warnings.push({ code: 'left-behind', server: server.id, programs: [...new Set(names)] }),
    onFailure: fail,
  };
  const tasks = sides.flatMap((side) => Object.values(side.servers).map((server) => ({ side, server })));
  await prepareAll(tasks, preparing);
  if (signal.aborted) return { ...measured, elapsed: () => 0 };
  const trees = dependencies.keepTrees([...new Set(tasks.flatMap(({ server }) => server.buildDir ?? []))]);

  const { started: services, stop } = await dependencies.startServices(context.services, {
    ...{ sides: sides.length, isCounting: context.isCounting, env, signal },
  });
  const uncounted = services.filter(({ statementsOf, failure }) => !statementsOf && !failure);
  const labels = uncounted.map(({ id }) => SERVICES[id]?.label ?? id);
  if (context.isCounting && labels.length > 0)
    measured.warnings.push({ code: 'uncounted', services: labels });
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
    await setUpAll(whole, services, { ...preparing, sides });
    trees.keepSetUp();
    const measuring = { ...context, services, trees, elapsed };
    startedAt = dependencies.now();
    if (context.scout) await sendScout(context.scout, measuring, measured);
    startedAt = dependencies.now();
    if (!signal.aborted) await measureRounds(measuring, measured);
  } finally {
    await stop();
    trees.end();
  }
  return { ...measured, elapsed };
}

/**
 * A server whose preparation failed is not started.
 * @type {(scout: Scout, context: Measuring, measured: Measured) => Promise<void>}
 */
async function sendScout({ dependencies, startsOf, learn, rolesOf }, context, measured) {
  const { plan, trials } = measured;
  const broken = [...trials].flatMap(([step, own]) => (own.length > 0 ? step.case.server : []));
  const whole = plan.cases.filter(({ server }) => !broken.includes(server));
  const starts = startsOf(planWith(plan, { sides: plan.sides, cases: whole }));
  /** @type {Measured} */
  const seen = { plan: starts, trials: noTrials(starts), warnings: [] };
  const { env, signal, services, trees, elapsed, onProgress } = context;
  await measureRounds(
    {
      ...{ env, signal, services, trees, elapsed, dependencies },
      onMeasured: async () => {},
      onProgress: (event) => event.type === 'start' && onProgress({ type: 'scout', members: event.members }),
    },
    seen,
  );
  measured.touched = { ...learn(seen.trials), seconds: Math.round(elapsed()) };
  replan(measured, rolesOf(plan, measured.touched));
}

/** What was measured stays with cases of the same ids. @type {(measured: Measured, plan: Plan) => void} */
function replan(measured, plan) {
  const known = [...measured.trials];
  const trialsOf = (/** @type {Step} */ step) =>
    known.find(([old]) => old.side === step.side && old.case.id === step.case.id)?.[1] ?? [];
  const trials = new Map([...noTrials(plan).keys()].map((step) => [step, trialsOf(step)]));
  Object.assign(measured, { plan, trials });
}

/** Of its steps, before the first start. @type {(plan: Plan) => Trials} */
function noTrials({ sides, cases, order }) {
  const placeOf = (/** @type {Step} */ step) =>
    sides.length * cases.indexOf(step.case) + sides.indexOf(step.side);
  return new Map(sort(new Set(order.flat(2)), placeOf).map((step) => [step, []]));
}

/** measured: gets what is measured. @type {(context: Measuring, measured: Measured) => Promise<void>} */
async function measureRounds(context, measured) {
  const { signal, dependencies, services, trees, elapsed, onProgress, onMeasured, looks, gates } = context;
  const { warnings } = measured;
  const { budgetSeconds, besideSeconds } = measured.plan;
  /** @type {Map<Case, number[]>} seconds of starts */
  const durations = new Map();
  const situation = {
    decided: new Set(),
    rounds: 0,
    isNew: false,
    lastLook: 0,
    secondsOf: (/** @type {Case} */ planned) =>
      mean(durations.get(planned) ?? []) ?? trialSeconds(planned, besideSeconds),
    spentOn: (/** @type {Case} */ planned) => sum(durations.get(planned) ?? []),
  };
  const total = measured.plan.order.flat(2).length;
  let [done, remaining] = [merge(measured.trials.values()).length, total];
  /** behind: starts that are over and not reported yet. @type {(behind?: number) => Standing} */
  const standing = (behind = 0) => {
    // The starts of a plan take about equally long.
    const seconds = done > 0 ? elapsed() / done : measured.plan.estimateSeconds / total;
    const left = Math.max(0, Math.min(seconds * remaining, budgetSeconds - elapsed()));
    return looks ? { done: done - behind, left } : { done: total - remaining - behind, total, left };
  };
  /** @type {Map<Case, Seen>} */
  const seen = new Map();
  const surroundings = {
    ...{ signal, elapsed, dependencies, services, trees, warnings, seen },
    onStart: (/** @type {Step[]} */ members) => onProgress({ type: 'start', members, ...standing() }),
  };

  const secondsOf = (/** @type {Step[]} */ steps) => sum(steps, (step) => situation.secondsOf(step.case));

  let isSlower = false;
  while (!signal.aborted) {
    const { plan, trials } = measured;
    // No round takes the time of an explanation, since a case that stays open says less than a function does.
    // While nothing looks slower, all of it is the rounds'.
    const kept = isSlower ? plan.timetable.explainSeconds : 0;
    const ofPairs = Math.min(reservedSeconds(plan, trials, gates), plan.timetable.mostReservedSeconds);
    const action = nextAction(plan, { ...situation, trials, elapsed: elapsed() + kept + ofPairs }, looks);
    if (action.type === 'end') {
      if (action.reason === 'budget') {
        const loaded = merge(trials.values()).filter(({ windows }) => windows.length > 0);
        const rounds = new Set(loaded.map((trial) => trial.round)).size;
        const needed = (looks?.leastRounds ?? 1) * secondsOf(plan.order[0]?.flat() ?? []);
        const known = { rounds, ...(rounds === 0 && { needed }) };
        warnings.push({ code: 'budget-ended', seconds: budgetSeconds, ...known });
      }
      const isSeparate = (/** @type {Step} */ step) => Boolean(seenOf(seen, step).alone?.beside);
      const known = { secondsLeft: () => budgetSeconds - kept - elapsed(), gates, isSeparate };
      return compareStarts(plan, trials, { services, trees, dependencies, signal, ...known });
    }
    if (action.type === 'look') {
      const { decided = [], looksSlower = false } = looks?.look(measured, action.share) ?? {};
      for (const id of decided) situation.decided.add(id);
      isSlower = looksSlower;
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
      for await (const ran of measureGroup(group, bounds, { plan, ...surroundings })) {
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
    const ids = (plan.cases.some(isControl) && context.promote?.(measured)) || new Set();
    if (ids.size > 0) replan(measured, promoted(plan, ids, round + 1));
  }
}
