/**
 * One turn of load: on a single server, or on several at once in slices of fractions of a second, so that a moment of the machine
 * affects them alike.
 * @import { Target } from '../load/tools.js'
 * @import { Latencies, LoadedWindow, Window } from '../types.js'
 * @import { ServerRun } from './server-run.js'
 * @import { Dependencies } from './dependencies.js'
 */

import { MeasureError } from '../model/errors.js';
import { attempt, failDead, frontsOf, groupOf, hasDied, isRunning, whoDied } from './server-run.js';

/** Load tools round: a duration that is wrong by this share changes no verdict. */
const SLACK = 0.02;

/** @typedef {{ signal: AbortSignal, dependencies: Dependencies, elapsed: () => number }} Context elapsed: seconds */

/**
 * Decides which servers are loaded at once, both to warm them up and to measure them.
 * @param {ServerRun[]} servers in the order in which they are loaded
 * @param {Dependencies} dependencies
 * @returns {ServerRun[][]} one turn if the load tool can slice their windows, else a turn each
 */
export function turnsOf(servers, { canWeave }) {
  const lengths = new Set(servers.map(({ member }) => member.windows.seconds));
  const isWoven =
    servers.length > 1 &&
    lengths.size === 1 &&
    // Observers inside a server expect load for the whole window.
    servers.every(({ inside, member }) => inside.length === 0 && member.case.load.requests === undefined) &&
    canWeave(servers.map(({ member }) => member.case.load));
  return isWoven ? [servers] : servers.map((serverRun) => [serverRun]);
}

/** @param {ServerRun[]} turn @param {ServerRun[]} group all that run @param {Context} context */
export async function measureTurn(turn, group, context) {
  const running = turn.filter(isRunning);
  if (running.length === 0) return;
  const measure = () => loadWindows(running, group, context);
  try {
    const windows = await measure().catch((error) => {
      // Setting the clock once disturbs one window; a faulty clock disturbs the next one, too.
      if (error instanceof MeasureError && error.kind === 'clock-stepped') return measure();
      throw error;
    });
    for (const [place, serverRun] of running.entries())
      await attempt(serverRun, context, async () => keepWindow(serverRun, windows[place]));
  } catch (error) {
    if (await failDead(running, error)) await measureTurn(turn, group, context);
  }
}

/** @param {ServerRun[]} turn @param {ServerRun[]} group @param {Context} context */
async function loadWindows(turn, group, context) {
  const { elapsed } = context;
  const startedAt = elapsed();
  const waiting = group.filter(
    (serverRun) => !turn.includes(serverRun) && serverRun.instance && isRunning(serverRun),
  );
  try {
    const loads = await loadTurn(turn, { targets: turn.map(windowTarget), waiting, context });
    for (const [place, serverRun] of turn.entries()) requireTime(serverRun, loads[place]);
    return loads.map(
      ({ at, loaded: { latencies, clientSeconds, ...window }, observed: { cpu, ...observed } }) => ({
        window: {
          at,
          ...window,
          ...observed,
          ...(cpu && { cpu: { ...cpu, ...(clientSeconds !== undefined && { clientSeconds }) } }),
        },
        latencies,
      }),
    );
  } finally {
    for (const serverRun of turn) serverRun.seconds += (elapsed() - startedAt) / turn.length;
  }
}

/**
 * @typedef {{ at: number, took: number, loaded: LoadedWindow, observed: Partial<Window> }} Load at: seconds, like took, by our clock
 *
 * @param {ServerRun[]} turn
 * @param {{ targets: Target[], waiting: ServerRun[], isWarmUp?: boolean, context: Context }} options targets: one a server of the turn;
 *   waiting: servers that should rest meanwhile
 * @returns {Promise<Load[]>} one a server of the turn
 * @throws {MeasureError} of the load tool; died-under-load, service-failed, cancelled
 */
export async function loadTurn(turn, { targets, waiting, isWarmUp, context }) {
  const { signal, dependencies, elapsed } = context;
  if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
  const startedAt = elapsed();
  const observers = turn.map((serverRun) => {
    const beside = turn.filter((neighbour) => neighbour !== serverRun);
    return dependencies.observe(groupOf(serverRun), {
      runtime: serverRun.member.server.runtime,
      inside: isWarmUp ? [] : serverRun.inside,
      clients: dependencies.clients,
      front: frontsOf([serverRun]),
      services: serverRun.member.services.groups,
      idle: [...frontsOf([...waiting, ...beside]), ...beside.map(groupOf)],
      waiting: waiting.map(groupOf),
    });
  });
  try {
    const [target] = /** @type {[Target]} */ (targets);
    const loads = await (targets.length > 1
      ? dependencies.weave(targets, signal)
      : Promise.all([dependencies.load({ ...target, signal })]));
    const dead = turn.find(hasDied);
    if (dead) throw await whoDied(dead);
    const took = elapsed() - startedAt;
    return await Promise.all(
      loads.map(async (loaded, place) => {
        const { waiting: shares = [], ...observed } = (await observers[place]?.stop()) ?? {};
        for (const [index, share] of shares.entries()) waiting[index]?.waited.push(share);
        return { at: Math.round(startedAt * 1000) / 1000, took, loaded, observed };
      }),
    );
  } finally {
    await Promise.all(observers.map(({ stop }) => stop()));
  }
}

/** @param {ServerRun} serverRun that was started @param {number} seconds of load @returns {Target} */
export function targetOf({ member, instance }, seconds) {
  const { load, request } = member.case;
  return { load, request, url: instance?.url ?? '', seconds };
}

/** @param {ServerRun} serverRun @returns {Target} */
function windowTarget(serverRun) {
  const { windows, case: planned } = serverRun.member;
  const { requests } = planned.load;
  return {
    ...targetOf(serverRun, windows.seconds),
    ...(requests !== undefined && { requests: Math.round(requests / windows.count) }),
  };
}

/** @param {ServerRun} serverRun @param {Load | undefined} load @throws {MeasureError} clock-stepped */
function requireTime({ member }, load) {
  const { tool, requests } = member.case.load;
  const { loaded, took = 0 } = load ?? {};
  const reported = loaded?.seconds ?? 0;
  // A number of requests may take any time.
  const asked = requests === undefined ? member.windows.seconds : 0;
  if (agrees({ reported, asked, took })) return;
  throw new MeasureError(
    'clock-stepped',
    `the system clock was changed under load: ${tool} reports ${reported} s for a window of ${Math.round(took * 1000) / 1000} s`,
  );
}

/**
 * Checks a tool's reported duration. A tool that starts slowly or pauses after its load takes longer than it reports. None takes
 * less, and none stops early.
 * @param {{ reported: number, asked: number, took: number }} seconds took: by a monotonic clock
 * @returns {boolean}
 */
export function agrees({ reported, asked, took }) {
  return reported >= Math.min(asked, took) * (1 - SLACK) && reported <= took * (1 + SLACK);
}

/** @param {ServerRun} serverRun @param {{ window: Window, latencies: Latencies | undefined } | undefined} measured */
function keepWindow({ member, instance, trial, latencies }, measured) {
  if (!measured) return;
  if (measured.window.requests === 0) {
    const message = `answered no request in ${member.windows.seconds} s of load`;
    throw new MeasureError('died-under-load', message, instance?.logTail());
  }
  latencies.push(measured.latencies);
  trial.windows.push(measured.window);
}
