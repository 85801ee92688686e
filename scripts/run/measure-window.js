/**
 * One turn of those that are alive together: a window of each. Where the load tool can, they take it in slices of fractions of a
 * second, so that a machine's moments hit all of them alike.
 * @import { Target } from '../load/tools.js'
 * @import { Latencies, LoadedWindow, Trial } from '../types.js'
 * @import { Life } from './server-run.js'
 * @import { Means } from './dependencies.js'
 */

import { MeasureError } from '../model/errors.js';
import { agrees } from './clock-check.js';
import { attempt, failDead, frontsOf, groupOf, hasDied, isAlive, targetOf, whoDied } from './server-run.js';

/**
 * @param {Life[]} turn
 * @param {Means} means
 */
export function canWeave(turn, means) {
  const lengths = new Set(turn.map(({ member }) => member.windows.seconds));
  return (
    turn.length > 1 &&
    lengths.size === 1 &&
    // What looks at a server from inside tells of times in which it is loaded all along.
    turn.every(({ inside, member }) => inside.length === 0 && member.case.load.requests === undefined) &&
    means.canWeave(turn.map(({ member }) => member.case.load))
  );
}

/**
 * @param {Life[]} turn a window of each: of several in slices of fractions of a second, which they take in turn
 * @param {Life[]} lives
 * @param {{ signal: AbortSignal, means: Means, elapsed: () => number }} context
 */
export async function measureTurn(turn, lives, context) {
  const alive = turn.filter(isAlive);
  if (alive.length === 0) return;
  try {
    const windows = await measureAgain(() => loadTurn(alive, lives, context));
    for (const [place, life] of alive.entries())
      await attempt(life, context, async () => keepWindow(life, windows[place]));
  } catch (error) {
    if (await failDead(alive, error)) await measureTurn(turn, lives, context);
  }
}

/**
 * A clock that is set once disturbs one window; one that goes wrong disturbs the next one, too.
 * @template T
 * @param {() => Promise<T>} measure
 */
async function measureAgain(measure) {
  try {
    return await measure();
  } catch (error) {
    if (!(error instanceof MeasureError) || error.kind !== 'clock-stepped') throw error;
    return measure();
  }
}

/**
 * @param {Life[]} turn
 * @param {Life[]} lives
 * @param {{ signal: AbortSignal, means: Means, elapsed: () => number }} context
 * @returns {Promise<{ window: Trial['windows'][number], latencies: Latencies | undefined, waited: [Life, number][] }[]>}
 * @throws {MeasureError} that of the load; died-under-load, clock-stepped, cancelled
 */
async function loadTurn(turn, lives, { signal, means, elapsed }) {
  if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
  const others = lives.filter((life) => !turn.includes(life) && life.instance && isAlive(life));
  const at = elapsed();
  const observers = turn.map((life) => {
    const beside = turn.filter((other) => other !== life);
    return means.observe(groupOf(life), {
      runtime: life.member.server.runtime,
      inside: life.inside,
      clients: means.clients,
      front: frontsOf([life]),
      services: life.member.services.groups,
      idle: [...frontsOf([...others, ...beside]), ...beside.map(groupOf)],
      waiting: others.map(groupOf),
    });
  });
  try {
    const loaded = await loadAll(turn.map(windowOf), { signal, means });
    const dead = turn.find(hasDied);
    if (dead) throw await whoDied(dead);
    const took = elapsed() - at;
    return await Promise.all(
      loaded.map(async ({ latencies, clientSeconds, ...window }, place) => {
        const { case: of, windows } = /** @type {Life} */ (turn[place]).member;
        // So many requests may take any time.
        const asked = of.load.requests === undefined ? windows.seconds : 0;
        if (!agrees({ told: window.seconds, asked, took })) {
          const figures = `${of.load.tool} reports ${window.seconds} s for a window of ${Math.round(took * 1000) / 1000} s`;
          throw new MeasureError('clock-stepped', `the system clock was changed under load: ${figures}`);
        }
        const { waiting = [], cpu, ...observed } = (await observers[place]?.stop()) ?? {};
        return {
          window: {
            at: Math.round(at * 1000) / 1000,
            ...window,
            ...observed,
            ...(cpu && { cpu: { ...cpu, ...(clientSeconds !== undefined && { clientSeconds }) } }),
          },
          latencies,
          waited: others.map((life, index) => [life, waiting[index] ?? 0]),
        };
      }),
    );
  } finally {
    await Promise.all(observers.map(({ stop }) => stop()));
    for (const life of turn) life.windowSeconds += (elapsed() - at) / turn.length;
  }
}

/**
 * @param {Life} life
 * @returns {Target}
 */
function windowOf(life) {
  const { windows, case: of } = life.member;
  const { requests } = of.load;
  const asked = requests !== undefined && { requests: Math.round(requests / windows.count) };
  return { ...targetOf(life, windows.seconds), ...asked };
}

/**
 * @param {Target[]} targets one, or several that can be woven
 * @param {{ signal: AbortSignal, means: Means }} context
 * @returns {Promise<LoadedWindow[]>} of each
 */
export async function loadAll(targets, { signal, means }) {
  if (targets.length > 1) return means.weave(targets, signal);
  return Promise.all(targets.map((target) => means.load({ ...target, signal })));
}

/**
 * @param {Life} life
 * @param {Awaited<ReturnType<typeof loadTurn>>[number] | undefined} measured
 * @throws {MeasureError} died-under-load
 */
function keepWindow(life, measured) {
  if (!measured) return;
  const { window, latencies, waited } = measured;
  if (window.requests === 0) {
    const message = `answered no request in ${life.member.windows.seconds} s of load`;
    throw new MeasureError('died-under-load', message, life.instance?.logTail());
  }
  life.latencies.push(latencies);
  life.trial.windows.push(window);
  for (const [other, share] of waited) other.waited.push(share);
}
