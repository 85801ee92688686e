/**
 * The queue that a load leaves to a server. Each connection of a closed loop has a request there: 100 of them
 * are 0.7 s of work for a server that needs 7 ms for an answer, and the next window would measure them.
 * @import { LoadedWindow } from '../types.js'
 * @import { Target } from '../load/tools.js'
 * @import { GroupContext } from './group.js'
 * @import { ServerRun } from './server-run.js'
 */

import { max } from 'd3-array';
import { groupOf, isRunning, proxiesOf } from './server-run.js';

/** Nobody waits longer for what is left of a load. */
const LONGEST_SECONDS = 15;
/** The queue may take so many times as long as it should, and a moment of the machine longer. */
const LATE = { times: 2, seconds: 1 };

/**
 * The queue of a server after its last load; leastSeconds: of an answer, by Little's law and the load tool;
 * mostSeconds: by Little's law alone, since a tool knows nothing of answers that did not come.
 * @typedef {{ leastSeconds: number, mostSeconds: number, endsAt: number }} Queue
 *
 * @param {LoadedWindow} window
 * @param {{ load: Target['load'], endedAt: number }} context endedAt: when the last request was sent, in
 *   seconds since measuring began
 * @returns {Queue}
 */
export function queueAfter({ requests, seconds, latencyMs, outlasted }, { load, endedAt }) {
  // Their connections are closed, and nobody knows how long they would take.
  if (outlasted) return { leastSeconds: Infinity, mostSeconds: 0, endsAt: endedAt };
  const mostSeconds = (load.connections * load.pipelining * seconds) / requests;
  const meanSeconds = (latencyMs?.avg ?? Infinity) / 1000;
  const leastSeconds = Math.min(mostSeconds, 2 * meanSeconds);
  return { leastSeconds, mostSeconds, endsAt: endedAt + leastSeconds };
}

/**
 * Earlier requests are answered, and the servers idle, before a window begins. Returns those of all that run
 * that may still be at work after the longest wait.
 * @type {(group: ServerRun[], context: GroupContext) => Promise<ServerRun[]>}
 */
export async function awaitIdle(group, { dependencies, elapsed, signal }) {
  const loaded = group.filter((serverRun) => serverRun.isQueued && isRunning(serverRun));
  if (loaded.length === 0) return [];
  const queues = loaded.flatMap(({ queue }) => queue ?? []);
  const startedAt = elapsed();
  const left = queues.map(({ endsAt }) => endsAt - startedAt).filter(Number.isFinite);
  const bound = LATE.seconds + LATE.times * (max(queues, ({ mostSeconds }) => mostSeconds) ?? 0);
  const isIdle = await dependencies.untilIdle(
    loaded.flatMap((serverRun) => [
      groupOf(serverRun),
      ...proxiesOf([serverRun]),
      ...serverRun.services.groups,
    ]),
    {
      leastMs: 1000 * Math.min(LONGEST_SECONDS, Math.max(0, ...left)),
      mostMs: 1000 * Math.min(LONGEST_SECONDS, bound),
      signal,
    },
  );
  for (const serverRun of loaded) serverRun.isQueued = !isIdle;
  return isIdle ? [] : loaded;
}
