/**
 * One turn of load: on a single server, or on several at once in slices of fractions of a second, so that a
 * moment of the machine affects them alike.
 * @import { Target } from '../load/tools.js'
 * @import { LoadedWindow, Window } from '../types.js'
 * @import { ServerRun } from './server-run.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { GroupContext } from './group.js'
 */

import { sum } from 'd3-array';
import { findTool } from '../load/tools.js';
import { MeasureError } from '../model/errors.js';
import { awaitIdle, queueAfter } from './queue.js';
import { countStatements } from './count-statements.js';
import { attempt, failDead, groupOf, hasDied, isRunning, proxiesOf, whoDied } from './server-run.js';

/** Load tools round: a duration that is wrong by this share changes no verdict. */
const SLACK = 0.02;
/** Slices last ten times the wait for last answers: of longer ones, too few would fit into a window. */
const SLICED_SECONDS = 0.1;
/** Of a core: a server that uses less while it answers nothing hangs. */
const AT_WORK = 0.05;

/**
 * Decides which servers, in their order, are loaded at once, both to warm them up and to measure them: one
 * turn if the load tool can slice their windows, and all are known to answer fast, else a turn each.
 * @type {(servers: ServerRun[], dependencies: Dependencies) => ServerRun[][]}
 */
export function turnsOf(servers, { canInterleave }) {
  const lengths = new Set(servers.map(({ windowSeconds }) => windowSeconds));
  const isInterleaved =
    servers.length > 1 &&
    lengths.size === 1 &&
    // Other observers inside a server expect load for the whole window.
    servers.every(({ inside }) => inside.every(({ counts }) => counts)) &&
    servers.every(({ step }) => step.case.load.requests === undefined) &&
    servers.every(({ queue }) => queue && queue.leastSeconds <= SLICED_SECONDS) &&
    canInterleave(servers.map(({ step }) => step.case.load));
  return isInterleaved ? [servers] : servers.map((serverRun) => [serverRun]);
}

/** group: running. @type {(turn: ServerRun[], group: ServerRun[], context: GroupContext) => Promise<void>} */
export async function measureTurn(turn, group, context) {
  const running = turn.filter(isRunning);
  if (running.length === 0) return;
  const measure = () => loadWindows(running, group, context);
  try {
    const loads = await measure().catch((error) => {
      // Setting the clock once disturbs one window; a faulty clock disturbs the next one, too.
      if (error instanceof MeasureError && error.kind === 'clock-stepped') return measure();
      throw error;
    });
    for (const load of loads) await attempt(load.serverRun, context, async () => keepWindow(load));
  } catch (error) {
    if (await failDead(running, error, context)) await measureTurn(turn, group, context);
  }
}

/** @type {(turn: ServerRun[], group: ServerRun[], context: GroupContext) => Promise<Load[]>} */
async function loadWindows(turn, group, context) {
  const startedAt = context.elapsed();
  const waiting = group.filter(
    (serverRun) => !turn.includes(serverRun) && serverRun.instance && isRunning(serverRun),
  );
  try {
    const loads = await loadTurn(turn, { targets: turn.map(windowTarget), waiting, context });
    for (const load of loads) requireTime(load);
    return loads;
  } finally {
    for (const serverRun of turn) serverRun.seconds += (context.elapsed() - startedAt) / turn.length;
  }
}

/**
 * What the load tool and the observers say of a server; `at` and `took` are seconds by our own clock.
 * @typedef {{ serverRun: ServerRun, at: number, took: number, loaded: LoadedWindow,
 *   observed: Partial<Window> }} Load
 *
 * @param {ServerRun[]} turn
 * @param {{ targets: Target[], waiting: ServerRun[], isWarmUp?: boolean, context: GroupContext }} options
 *   targets: one a server of the turn; waiting: servers that should rest meanwhile
 * @returns {Promise<Load[]>} one a server of the turn
 * @throws {MeasureError} of the load tool; died-under-load, service-failed, cancelled
 */
export async function loadTurn(turn, { targets, waiting, isWarmUp, context }) {
  const { signal, dependencies, elapsed } = context;
  const waitsAt = elapsed();
  const busy = await awaitIdle([...turn, ...waiting], context);
  if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
  const endCounting = isWarmUp ? undefined : await countStatements(turn, waiting, context);
  const startedAt = elapsed();
  for (const { trial } of busy) trial.busySeconds = Math.max(trial.busySeconds ?? 0, startedAt - waitsAt);
  const observers = turn.map((serverRun) => {
    const beside = turn.filter((neighbour) => neighbour !== serverRun);
    return dependencies.observe(groupOf(serverRun), {
      runtime: serverRun.server.runtime,
      inside: isWarmUp ? [] : serverRun.inside,
      clients: dependencies.clients,
      proxy: proxiesOf([serverRun]),
      services: serverRun.services.groups,
      idle: [...proxiesOf([...waiting, ...beside]), ...beside.map(groupOf)],
      waitingServers: waiting.map(groupOf),
    });
  });
  const loads = await loadTargets(turn, targets, context).catch(async (error) => {
    await Promise.all(observers.map(({ stop }) => stop()));
    throw error;
  });
  const took = elapsed() - startedAt;
  // Tools that pause after their load take longer than it, and none sends requests after its end.
  const plannedSeconds = sum(targets, ({ seconds }) => seconds);
  const endedAt = startedAt + Math.min(took, plannedSeconds);
  const observed = await Promise.all(
    turn.map(async (serverRun, place) => {
      const { load } = /** @type {Target} */ (targets[place]);
      const loaded = /** @type {LoadedWindow} */ (loads[place]);
      serverRun.queue = queueAfter(loaded, { load, endedAt });
      serverRun.isQueued = true;
      const { waitingServers: shares = [], ...observed } = (await observers[place]?.stop()) ?? {};
      for (const [index, share] of shares.entries()) waiting[index]?.waited.push(share);
      return { serverRun, at: milliseconds(startedAt), took, loaded, observed };
    }),
  );
  const counted = (await endCounting?.()) ?? [];
  return observed.map((load, place) => ({ ...load, observed: { ...load.observed, ...counted[place] } }));
}

/** @type {(turn: ServerRun[], targets: Target[], context: GroupContext) => Promise<LoadedWindow[]>} */
async function loadTargets(turn, targets, { signal, dependencies }) {
  const [target] = /** @type {[Target]} */ (targets);
  const loads = await (targets.length > 1
    ? dependencies.interleave(targets, signal)
    : Promise.all([dependencies.load({ ...target, signal })]));
  const dead = turn.find(hasDied);
  if (dead) throw await whoDied(dead);
  return loads;
}

/** seconds: of load, once it was started. @type {(serverRun: ServerRun, seconds: number) => Target} */
export function targetOf({ step: { case: planned }, instance, queue, trial }, seconds) {
  const { load, request } = planned;
  const answerMs = queue?.leastSeconds ? 1000 * queue.leastSeconds : undefined;
  const closes = trial.answers?.find((answer) => answer.closes)?.closes;
  return { load, request, url: instance?.url ?? '', seconds, answerMs, closes };
}

/** @type {(serverRun: ServerRun) => Target} */
function windowTarget(serverRun) {
  const { load, sharedSeconds } = serverRun.step.case;
  const requests = sharedSeconds ? undefined : load.requests;
  const own = requests && Math.round(requests / serverRun.windows.count);
  return { ...targetOf(serverRun, serverRun.windowSeconds), requests: own };
}

/** Throws a MeasureError, clock-stepped. @type {(load: Load) => void} */
function requireTime({ serverRun: { step, windowSeconds }, loaded: { seconds: reported }, took }) {
  const { tool, requests } = step.case.load;
  const isAny = requests !== undefined || findTool(tool)?.countsItsStart;
  const asked = isAny ? 0 : windowSeconds;
  if (agrees({ reported, asked, took })) return;
  const message = `${tool} reports ${reported} s for a window of ${milliseconds(took)} s`;
  throw new MeasureError('clock-stepped', `the system clock was changed under load: ${message}`);
}

/**
 * Checks a tool's reported duration. A tool that starts slowly or pauses after its load takes longer than it
 * reports. None takes less.
 * @param {{ reported: number, asked: number, took: number }} seconds asked: the window's length, 0 where it
 *   may be any; took: by a monotonic clock
 */
export function agrees({ reported, asked, took }) {
  return reported >= Math.min(asked, took) * (1 - SLACK) && reported <= took * (1 + SLACK);
}

/** Rounds to the millisecond. @type {(seconds: number) => number} */
function milliseconds(seconds) {
  return Math.round(seconds * 1000) / 1000;
}

/** Throws a MeasureError without an answer. @type {(load: Load) => void} */
function keepWindow(load) {
  const { serverRun, at, loaded, observed } = load;
  const { cpu, ...others } = observed;
  const { latencies, clientSeconds, outlasted: _, ...window } = loaded;
  if (window.requests === 0) throw silence(load);
  serverRun.loadedSeconds += serverRun.windowSeconds;
  serverRun.latencies.push(latencies);
  serverRun.trial.windows.push({
    at,
    ...window,
    ...others,
    cpu: cpu && { ...cpu, clientSeconds: clientSeconds ?? cpu.clientSeconds },
  });
}

/**
 * A server that works on its requests is slow; one that does not, or breaks connections, is dead.
 * @type {(load: Load) => MeasureError}
 */
function silence({ serverRun: { instance, windowSeconds }, loaded, took, observed }) {
  const { timeouts: _, stalls: __, ...broken } = loaded.errors ?? {};
  const { serverSeconds = 0, proxySeconds = 0, servicesSeconds = 0 } = observed.cpu ?? {};
  const isAtWork = (serverSeconds + proxySeconds + servicesSeconds) / took > AT_WORK;
  const none = `answered no request in ${windowSeconds} s of load`;
  if (!isAtWork || sum(Object.values(broken)) > 0)
    return new MeasureError('died-under-load', none, instance?.logTail());
  return new MeasureError('too-slow', `${none}, although it worked all the time`, instance?.logTail());
}
