/**
 * Counts without clocks: all routes of a server share its starts, and each is asked for moments until what
 * its requests allocate settles.
 * @import { Load, LoadedWindow } from '../types.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { Instance } from './server-run.js'
 */

import { findTool } from '../load/tools.js';

/** A busy machine answers 300 requests in a window: with 100, bytes moved by 3 % from start to start. */
const SECONDS = { reading: 0.1, window: 0.3 };
/** Two readings of bytes a request that differ by less have settled. */
const SETTLED = 0.003;
/** Of 44 routes on a machine with a load of 60, 40 settled in two or three readings, and one in eight. */
const MOST_READINGS = 10;
/** More only leave a slow server a longer queue. */
const MOST_CONNECTIONS = 10;

/**
 * A server that runs. answers: to its check, by request; served: cases.
 * @typedef {{ instance: Instance, inside: Inside[], served: Set<unknown>, answers: Map<string, any>,
 *   isWatched: boolean, isWindow: boolean, isSettled: boolean }} Shared
 */

/** One short window a start. @type {(load: Load) => Load} */
export function countedLoad({ requests: _, rate: __, ...load }) {
  const connections = Math.min(load.connections, MOST_CONNECTIONS);
  const durationSeconds = wholeIn(load, SECONDS.window);
  // It ends when the readings have settled.
  return { ...load, connections, durationSeconds, windows: 1, warmupSeconds: MOST_READINGS };
}

/** Some tools take whole seconds only. @type {(load: Load, seconds: number) => number} */
function wholeIn({ tool }, seconds) {
  return 'driver' in findTool(tool) ? seconds : Math.ceil(seconds);
}

/** In place of the observers of a server that was started for another route. @type {Inside} */
const ELSEWHERE = { env: {}, scratch: '', start: () => ({ stop: () => ({}) }), stop: async () => {} };

/** The caller stops the servers with the rest. @type {(real: Dependencies) => Dependencies} */
export function counting(real) {
  /** @type {Map<string, Shared>} */
  const running = new Map();
  const find = (/** @type {(instance: Instance) => boolean} */ isIt) =>
    /** @type {Shared} */ ([...running.values()].find(({ instance }) => isIt(instance)));
  const end = async (/** @type {Shared | undefined} */ shared) => {
    await shared?.instance.stop();
    await Promise.all(shared?.inside.map(({ stop }) => stop()) ?? []);
  };
  /** @type {(shared: Shared, target: Parameters<Dependencies['load']>[0]) => Promise<LoadedWindow>} */
  const settle = async (shared, target) => {
    const { instance, inside } = shared;
    for (let [times, last] = [1, 0]; ; times++) {
      const window = real.observe(instance.pid, { inside });
      const loaded = await real.load({ ...target, seconds: wholeIn(target.load, SECONDS.reading) });
      const { allocatedBytes = 0 } = await window.stop();
      const bytes = allocatedBytes / loaded.requests;
      // What allocates nothing that is known has nothing to settle.
      shared.isSettled = !(Math.abs(bytes - last) > SETTLED * bytes);
      if (shared.isSettled || times === MOST_READINGS) return loaded;
      last = bytes;
    }
  };
  return {
    ...real,
    isInside: true,
    enter: async () => [ELSEWHERE],
    async startServer(server, options) {
      const { instances, manager, proxy } = options.deployment ?? {};
      const key = JSON.stringify([server.id, server.folder, instances, manager, proxy]);
      const shared = running.get(key);
      if (shared && !shared.served.has(options.deployment) && !shared.instance.hasExited()) {
        shared.served.add(options.deployment);
        return { ...shared.instance, stop: async () => {} };
      }
      running.delete(key);
      await end(shared);
      const inside = await real.enter(server.runtime);
      const starting = real.startServer(server, { ...options, inside });
      const instance = await starting.catch(async (error) => {
        await Promise.all(inside.map(({ stop }) => stop()));
        throw error;
      });
      const known = { isWatched: false, isWindow: false, isSettled: false };
      running.set(key, {
        instance,
        inside,
        served: new Set([options.deployment]),
        answers: new Map(),
        ...known,
      });
      return { ...instance, stop: async () => {} };
    },
    async verify(instance, routes, bounds) {
      const { answers } = find(({ url }) => url === instance.url);
      const nameOf = (/** @type {{ id: string, row?: string }} */ { id, row }) => `${id} ${row}`;
      const unknown = routes.filter((route) => !answers.has(nameOf(route)));
      const asked = unknown.length > 0 ? await real.verify(instance, unknown, bounds) : [];
      for (const [place, route] of unknown.entries()) answers.set(nameOf(route), asked[place]);
      return routes.map((route) => answers.get(nameOf(route)));
    },
    observe(pgid, options) {
      const shared = find(({ pid }) => pid === pgid);
      // The engine observes a warm-up from outside alone.
      shared.isWindow = options?.inside?.length !== 0;
      if (!shared.isWindow) return { stop: async () => ({}) };
      const window = real.observe(pgid, { ...options, inside: shared.inside });
      const stop = async () => {
        const { allocatedBytes, ...others } = await window.stop();
        return shared.isSettled ? { ...others, allocatedBytes } : others;
      };
      return { stop };
    },
    load(target) {
      const shared = find(({ url }) => url === target.url);
      return shared.isWindow ? real.load(target) : settle(shared, target);
    },
    canInterleave: () => false,
    shareCore: async () => false,
    async untilIdle(groups, bounds) {
      const unwatched = [...running.values()].filter(({ isWatched }) => !isWatched);
      // A server is watched without load once, not again for each of its routes.
      if (groups.length === 0 && unwatched.length === 0) return true;
      if (groups.length === 0) for (const shared of unwatched) shared.isWatched = true;
      return real.untilIdle(groups, bounds);
    },
    async stop() {
      await Promise.all([...running.values()].map(end));
      await real.stop();
    },
  };
}
