/**
 * Starts servers together, checks and warms them up, loads them alternately in short windows, stops them.
 * @import { Plan, Step } from '../types.js'
 * @import { ServerRun } from './server-run.js'
 * @import { Dependencies } from './dependencies.js'
 */

import { mean, sort, sum } from 'd3-array';
import { RUNTIMES } from '../deploy/runtimes.js';
import { FAILURES } from '../model/errors.js';
import { isControl, rides } from '../model/is-control.js';
import { WHOLE_SECONDS } from '../model/times.js';
import { windowsOf } from '../plan/timetable.js';
import { mergeLatencies } from '../samples/latencies.js';
import { inParallel } from '../system/parallel.js';
import { checkAgain, checkAnswers, checkRoute, repeatable } from './check-answers.js';
import { attempt, groupOf, hasDied, isRunning, whyNotStarted } from './server-run.js';
import { sequence } from './counterbalance.js';
import { awaitIdle } from './queue.js';
import { hasSettled, keepSettled, lengthenCounted } from './settling.js';
import { restFrom, watchIdle } from './count-statements.js';
import { measureTurn, turnsOf } from './turn.js';
import { ANSWER_TIMES, lengthenWindows, secondsDue } from './window-length.js';
import { warmUp } from './warm-up.js';

const SLOW_SECONDS = 1;

/**
 * @typedef {object} GroupContext
 * @property {number} round
 * @property {AbortSignal} signal cancels, also at the deadline
 * @property {AbortSignal} deadline ends what has not ended long after the budget leaves no more time
 * @property {number} endsAt when it should have ended, in seconds since measuring began
 * @property {Dependencies} dependencies
 * @property {() => number} elapsed seconds since measuring began
 * @property {Plan} plan
 *
 * A failure of a server or load tool becomes that trial's: its earlier windows are kept, the others go on.
 * @param {Pick<ServerRun, 'step' | 'server' | 'windows' | 'riders' | 'stirring' | 'services'>[]} planned
 * @param {GroupContext} context
 * @returns {Promise<ServerRun[]>} starts that were repeated, then all in the order given, with what
 *   rode in them; without the reference if no other server started
 */
export async function runGroup(planned, context) {
  const { round, dependencies, elapsed } = context;
  const startedAt = elapsed();
  const group = planned.map((each) => newServerRun(each, round));
  const servers = group.filter(({ step }) => !step.case.reference);
  const inGroup = (/** @type {(serverRun: ServerRun) => Promise<void>} */ work) =>
    inParallel(group, dependencies.cores, (serverRun) => attempt(serverRun, context, () => work(serverRun)));
  const end = (/** @type {ServerRun[]} */ ended) => {
    for (const leader of ended.filter(({ wasStarted }) => !wasStarted))
      leader.riding = leader.riders.map((step) => riderOf(leader, step, context.plan));
    const all = group.flatMap((serverRun) => [serverRun, ...serverRun.riding]);
    const shared = elapsed() - startedAt - sum(all, ({ seconds }) => seconds);
    for (const serverRun of all) finish(serverRun, ended.includes(serverRun) ? shared / ended.length : 0);
    return ended;
  };
  /** @type {ServerRun[]} */
  let repeated = [];
  try {
    await inGroup((serverRun) => begin(serverRun, group, context));
    repeated = renewFailed(group, round);
    await inGroup(async (serverRun) => {
      if (!serverRun.instance) await begin(serverRun, group, context);
    });
    // Without another server the reference is useless, so stop.
    if (servers.length > 0 && servers.every(({ trial }) => trial.failure)) return end(servers);
    await warmUp(group, context);
    await shareCore(group.filter(isRunning), dependencies);
    if (group.some(({ step }) => rides(step.case))) lengthenRiding(group, dependencies);
    // What changed code does to its server, as to a cache that grows, is there for the routes after it.
    const stir = () => rideAlong(group, { stepsOf: ({ stirring }) => stirring }, context);
    const isTouched = group.every(({ step }) => step.case.role === undefined);
    if (!isTouched) await stir();
    await inGroup((serverRun) => watchIdle(serverRun, context));
    await measureTogether(group, context);
    if (isTouched) await stir();
    const controlsUntil = elapsed() + context.plan.timetable.mostControlsSeconds;
    const ridden = await rideAlong(group, { stepsOf: ({ riders }) => riders, controlsUntil }, context);
    for (const { leader, rider } of ridden) leader.riding.push(rider);
  } finally {
    await Promise.all(group.map(({ instance }) => instance?.stop()));
    await Promise.all([...repeated, ...group].flatMap(({ inside }) => inside.map(({ stop }) => stop())));
  }
  return [...repeated, ...end(group)];
}

/** Of one case each. @type {(group: ServerRun[], context: GroupContext) => Promise<void>} */
async function measureTogether(group, context) {
  const { round, dependencies, elapsed } = context;
  const counts = group.map(({ windows }) => windows.count);
  for (const cycle of sequence(counts, round)) {
    const due = cycle
      .flatMap((index) => group[index] ?? [])
      .filter((each) => !hasSettled(each, group))
      .filter((each) => each.loadedSeconds === 0 || secondsDue(each) >= each.windowSeconds / 2);
    // Those last that leave the next one a queue of seconds.
    const inOrder = sort(due, ({ answerSeconds }) => (answerSeconds < SLOW_SECONDS ? 0 : answerSeconds));
    lengthenWindows(inOrder, context.endsAt - elapsed());
    lengthenCounted(inOrder);
    for (const turn of turnsOf(inOrder, dependencies)) await measureTurn(turn, group, context);
  }
  keepSettled(group);
  const busy = await awaitIdle(group, context);
  await inParallel(group, dependencies.cores, (serverRun) =>
    attempt(serverRun, context, async () => {
      if (!busy.includes(serverRun)) await checkAgain(serverRun, context);
    }),
  );
}

/**
 * Tenths of a second hold enough to slice or to count; a load alone, or a slow answer, takes whole seconds.
 * @type {(pair: ServerRun[], dependencies: Dependencies) => void}
 */
function lengthenRiding(pair, dependencies) {
  const isCounted = pair.every(({ step }) => step.case.counted);
  const isSliced = pair.length > 1 && turnsOf(pair, dependencies).length === 1;
  const isFast = pair.every(({ answerSeconds, windows }) => ANSWER_TIMES * answerSeconds <= windows.seconds);
  if ((isCounted || isSliced) && isFast) return;
  for (const { windows } of pair) {
    windows.seconds = WHOLE_SECONDS;
    windows.mostSeconds = Math.max(WHOLE_SECONDS, windows.mostSeconds);
  }
}

/**
 * Loads other routes in these starts, one after the other. What ended with one of them says nothing of the
 * next: a later round measures that.
 * @type {(leaders: ServerRun[], steps: { stepsOf: (leader: ServerRun) => Step[], controlsUntil?: number },
 *   context: GroupContext) => Promise<{ leader: ServerRun, rider: ServerRun }[]>} controlsUntil: in seconds
 */
async function rideAlong(leaders, { stepsOf, controlsUntil = Infinity }, context) {
  const { dependencies, signal, elapsed } = context;
  const ids = new Set(leaders.flatMap((leader) => stepsOf(leader).map((step) => step.case.id)));
  /** @type {{ leader: ServerRun, rider: ServerRun }[]} */
  const all = [];
  for (const id of ids) {
    const started = leaders.filter(({ wasStarted }) => wasStarted);
    if (signal.aborted || started.some(hasDied)) break;
    const isLate = all.length > 0 && elapsed() > controlsUntil;
    const pair = started.flatMap((leader) => {
      const own = stepsOf(leader).filter((step) => step.case.id === id && !(isLate && isControl(step.case)));
      return own.map((step) => ({ leader, rider: riderOf(leader, step, context.plan) }));
    });
    if (pair.length === 0) continue;
    const riders = pair.map(({ rider }) => rider);
    await inParallel(riders, dependencies.cores, (rider) =>
      attempt(rider, context, async () => {
        await checkRoute(rider, context);
        await restFrom(rider);
      }),
    );
    for (const rider of riders) {
      const { answerSeconds } = rider;
      rider.queue = { leastSeconds: answerSeconds, mostSeconds: answerSeconds, endsAt: 0 };
    }
    lengthenRiding(riders, dependencies);
    await measureTogether(riders, context);
    all.push(...pair);
  }
  return all;
}

/**
 * Another case in the same start, with the failure of one that was not started.
 * @type {(leader: ServerRun, step: ServerRun['step'], plan: Plan) => ServerRun}
 */
function riderOf(leader, step, { timetable }) {
  const { trial, instance, inside, wasStarted, answerSeconds } = leader;
  const windows = windowsOf(step.case, timetable);
  const rider = newServerRun({ ...leader, step, windows, riders: [], stirring: [] }, trial.round);
  if (!wasStarted) rider.trial.failure = trial.failure;
  return {
    ...{ ...rider, instance, inside, wasStarted },
    answerSeconds: repeatable(rider).length > 0 ? 0 : answerSeconds,
  };
}

/**
 * A start may fail by chance. So one failed start beside others changes nothing: the server starts again
 * beside them, and the failed start is counted. Returns those that were replaced in the group: none where no
 * other server runs, or others explain it.
 * @type {(group: ServerRun[], round: number) => ServerRun[]}
 */
function renewFailed(group, round) {
  if (!group.some((serverRun) => isRunning(serverRun) && !serverRun.step.case.reference)) return [];
  return [...group.entries()].flatMap(([place, serverRun]) => {
    const isKnown = FAILURES[serverRun.trial.failure?.kind ?? '']?.causedBeside;
    if (isKnown || whyNotStarted(serverRun) === undefined) return [];
    group[place] = newServerRun(serverRun, round);
    return { ...serverRun, isRepeated: true };
  });
}

/**
 * Neighbours slow a shared machine's cores down differently, and a server stays on one core for a while. So
 * what is compared shares a core where that takes nothing from it: one thread each, loaded alternately.
 * @type {(running: ServerRun[], dependencies: Dependencies) => Promise<void>}
 */
async function shareCore(running, dependencies) {
  const isCompared = new Set(running.map(({ step }) => step.side)).size > 1;
  const isSingle = running.every(
    ({ step, server }) => RUNTIMES[server.runtime]?.cores === 1 && step.case.instances === 1,
  );
  if (!isCompared || !isSingle || turnsOf(running, dependencies).length > 1) return;
  const share = await dependencies.shareCore(running.map(groupOf));
  if (share) for (const { trial } of running) trial.sharesCore = true;
}

/** @type {(planned: Parameters<typeof runGroup>[0][number], round: number) => ServerRun} */
function newServerRun({ step, server, windows, riders, stirring, services }, round) {
  const trial = { round, failure: null, windows: [] };
  const planned = { step, server, windows, riders, stirring, services };
  const known = { wasStarted: false, isRepeated: false, leftOut: false, isQueued: false };
  const spent = { answerSeconds: 0, windowSeconds: windows.seconds, loadedSeconds: 0, seconds: 0 };
  return { ...planned, trial, riding: [], inside: [], waited: [], latencies: [], ...known, ...spent };
}

/** sharedSeconds: spent beside its windows. @type {(serverRun: ServerRun, sharedSeconds: number) => void} */
function finish(serverRun, sharedSeconds) {
  const { trial, waited, latencies } = serverRun;
  const merged = mergeLatencies(latencies);
  const waitingShare = mean(waited);
  if (merged) trial.latencies = merged;
  if (waitingShare !== undefined) trial.waitingShare = waitingShare;
  serverRun.seconds += sharedSeconds;
}

/** @type {(serverRun: ServerRun, group: ServerRun[], context: GroupContext) => Promise<void>} */
async function begin(serverRun, group, context) {
  const { round, signal, dependencies } = context;
  const { server, services, step } = serverRun;
  serverRun.leftOut = group.some(({ instance }) => instance) && dependencies.roomBytes() <= 0;
  if (serverRun.leftOut) return;
  serverRun.inside = await dependencies.enter(server.runtime);
  const instance = await dependencies.startServer(server, {
    deployment: step.case,
    connections: step.case.load.connections,
    isPublic: step.case.load.host !== undefined,
    inside: serverRun.inside,
    services: services.env,
    signal,
  });
  serverRun.instance = instance;
  serverRun.trial.startupMs = instance.startup.ms;
  // The first start of a run may follow an installation, and reads from a cold disk.
  serverRun.trial.startups = round === 0 ? [] : [instance.startup];
  await checkAnswers(serverRun, context);
  serverRun.wasStarted = true;
}
