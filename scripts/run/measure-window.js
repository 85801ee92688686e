/**
 * Measures one turn: a window of each server that takes part. If the load tool can pause, all take their windows at once, in slices
 * of fractions of a second, so that a moment of the machine affects them alike.
 * @import { Target } from '../load/tools.js'
 * @import { Latencies, LoadedWindow, Trial } from '../types.js'
 * @import { ServerRun } from './server-run.js'
 * @import { Dependencies } from './dependencies.js'
 */

import { MeasureError } from '../model/errors.js';
import { agrees } from './clock-check.js';
import { attempt, failDead, frontsOf, groupOf, hasDied, isRunning, targetOf, whoDied } from './server-run.js';

/**
 * @typedef {{ signal: AbortSignal, dependencies: Dependencies, elapsed: () => number }} Context elapsed: seconds
 *
 * @typedef {object} MeasuredWindow
 * @property {Trial['windows'][number]} window
 * @property {Latencies | undefined} latencies
 * @property {[ServerRun, number][]} waited the share of a core that each waiting server used
 */

/**
 * @param {ServerRun[]} turn
 * @param {Dependencies} dependencies
 * @returns {boolean} whether the load tool can slice the windows of these servers
 */
export function canWeave(turn, dependencies) {
  const lengths = new Set(turn.map(({ member }) => member.windows.seconds));
  return (
    turn.length > 1 &&
    lengths.size === 1 &&
    // Observers inside a server expect load for the whole window.
    turn.every(({ inside, member }) => inside.length === 0 && member.case.load.requests === undefined) &&
    dependencies.canWeave(turn.map(({ member }) => member.case.load))
  );
}

/**
 * @param {ServerRun[]} turn one server, or several whose windows are sliced
 * @param {ServerRun[]} group all that run
 * @param {Context} context
 */
export async function measureTurn(turn, group, context) {
  const running = turn.filter(isRunning);
  if (running.length === 0) return;
  try {
    const windows = await withRetry(() => loadTurn(running, group, context));
    for (const [place, serverRun] of running.entries())
      await attempt(serverRun, context, async () => keepWindow(serverRun, windows[place]));
  } catch (error) {
    if (await failDead(running, error)) await measureTurn(turn, group, context);
  }
}

/**
 * Setting the clock once disturbs one window; a faulty clock disturbs the next one, too.
 * @template T
 * @param {() => Promise<T>} measure
 */
async function withRetry(measure) {
  try {
    return await measure();
  } catch (error) {
    if (!(error instanceof MeasureError) || error.kind !== 'clock-stepped') throw error;
    return measure();
  }
}

/**
 * @param {ServerRun[]} turn
 * @param {ServerRun[]} group
 * @param {Context} context
 * @returns {Promise<MeasuredWindow[]>} one a server of the turn
 * @throws {MeasureError} of the load tool; died-under-load, clock-stepped, cancelled
 */
async function loadTurn(turn, group, { signal, dependencies, elapsed }) {
  if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
  const waiting = group.filter(
    (serverRun) => !turn.includes(serverRun) && serverRun.instance && isRunning(serverRun),
  );
  const startedAt = elapsed();
  const observers = turn.map((serverRun) => {
    const beside = turn.filter((neighbour) => neighbour !== serverRun);
    return dependencies.observe(groupOf(serverRun), {
      runtime: serverRun.member.server.runtime,
      inside: serverRun.inside,
      clients: dependencies.clients,
      front: frontsOf([serverRun]),
      services: serverRun.member.services.groups,
      idle: [...frontsOf([...waiting, ...beside]), ...beside.map(groupOf)],
      waiting: waiting.map(groupOf),
    });
  });
  try {
    const loaded = await loadAll(turn.map(windowTarget), { signal, dependencies });
    const dead = turn.find(hasDied);
    if (dead) throw await whoDied(dead);
    const seconds = elapsed() - startedAt;
    return await Promise.all(
      loaded.map(async ({ latencies, clientSeconds, ...window }, place) => {
        requireTime(window, /** @type {ServerRun} */ (turn[place]), seconds);
        const { waiting: shares = [], cpu, ...observed } = (await observers[place]?.stop()) ?? {};
        return {
          window: {
            at: milliseconds(startedAt),
            ...window,
            ...observed,
            ...(cpu && { cpu: { ...cpu, ...(clientSeconds !== undefined && { clientSeconds }) } }),
          },
          latencies,
          waited: waiting.map((serverRun, index) => [serverRun, shares[index] ?? 0]),
        };
      }),
    );
  } finally {
    await Promise.all(observers.map(({ stop }) => stop()));
    for (const serverRun of turn) serverRun.windowSeconds += (elapsed() - startedAt) / turn.length;
  }
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

/**
 * @param {Target[]} targets one, or several whose windows are sliced
 * @param {Pick<Context, 'signal' | 'dependencies'>} context
 * @returns {Promise<LoadedWindow[]>} one a target
 */
export async function loadAll(targets, { signal, dependencies }) {
  if (targets.length > 1) return dependencies.weave(targets, signal);
  return Promise.all(targets.map((target) => dependencies.load({ ...target, signal })));
}

/**
 * @param {Pick<LoadedWindow, 'seconds'>} window
 * @param {ServerRun} serverRun
 * @param {number} took seconds by our own clock
 * @throws {MeasureError} clock-stepped
 */
function requireTime({ seconds }, { member }, took) {
  const { load } = member.case;
  // A number of requests may take any time.
  const asked = load.requests === undefined ? member.windows.seconds : 0;
  if (agrees({ reported: seconds, asked, took })) return;
  throw new MeasureError(
    'clock-stepped',
    `the system clock was changed under load: ${load.tool} reports ${seconds} s for a window of ${milliseconds(took)} s`,
  );
}

/** @param {number} seconds @returns {number} seconds, to the millisecond */
export function milliseconds(seconds) {
  return Math.round(seconds * 1000) / 1000;
}

/**
 * @param {ServerRun} serverRun
 * @param {MeasuredWindow | undefined} measured
 * @throws {MeasureError} died-under-load
 */
function keepWindow(serverRun, measured) {
  if (!measured) return;
  const { window, latencies, waited } = measured;
  if (window.requests === 0) {
    const message = `answered no request in ${serverRun.member.windows.seconds} s of load`;
    throw new MeasureError('died-under-load', message, serverRun.instance?.logTail());
  }
  serverRun.latencies.push(latencies);
  serverRun.trial.windows.push(window);
  for (const [neighbour, share] of waited) neighbour.waited.push(share);
}
