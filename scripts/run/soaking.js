/**
 * Loads one server with pauses, and reads its memory after every load and every pause.
 * @import { MemoryReading } from '../types.js'
 * @import { Dependencies } from './dependencies.js'
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { enterCollecting } from '../observe/collected-memory.js';
import { realDependencies } from './dependencies.js';

/** Connections of the load have closed by then. */
const SETTLE_SECONDS = 1;
const CYCLES = { seconds: 20, fewest: 12, most: 30 };

/**
 * Each cycle is one window of load, and the rest after it.
 * @typedef {{ cycles: number, loadSeconds: number, restSeconds: number }} Schedule
 */

/** From two minutes on; some tools take only whole seconds of load. @type {(seconds: number) => Schedule} */
export function scheduleOf(seconds) {
  const cycles = Math.max(CYCLES.fewest, Math.min(CYCLES.most, Math.round(seconds / CYCLES.seconds)));
  const loadSeconds = Math.floor(seconds / cycles / 2);
  return { cycles, loadSeconds, restSeconds: seconds / cycles - loadSeconds };
}

/**
 * A window ends with its load; the rest follows before the next one begins.
 * @param {Pick<Schedule, 'restSeconds'>} schedule
 * @param {{ signal: AbortSignal, onReading: (reading: MemoryReading) => void, enter?: typeof enterCollecting,
 *   connect?: typeof realDependencies }} context
 * @returns {Dependencies} for one start of one server
 */
export function soaking({ restSeconds }, context) {
  const { signal, onReading, enter = enterCollecting, connect = realDependencies } = context;
  const settleSeconds = Math.min(SETTLE_SECONDS, restSeconds / 2);
  /** @type {Awaited<ReturnType<typeof enter>> | undefined} */
  let collecting;
  /** @type {number | undefined} */
  let startedAt;
  let [requests, read] = [0, 0];
  const dependencies = connect(async () => [(collecting = await enter())]);
  const pause = (/** @type {number} */ seconds) =>
    sleep(1000 * seconds, undefined, { signal }).catch(() => {});
  const readMemory = async () => {
    const memory = signal.aborted ? undefined : await collecting?.read();
    const at = (dependencies.now() - (startedAt ?? 0)) / 1000;
    if (memory) onReading({ at: Math.round(1000 * at) / 1000, requests, ...memory });
  };
  const rest = async () => {
    if (requests === read) return;
    read = requests;
    await pause(settleSeconds);
    await readMemory();
    await pause(restSeconds - settleSeconds);
    await readMemory();
  };
  return {
    ...dependencies,
    async load(target) {
      startedAt ??= dependencies.now();
      const window = await dependencies.load(target);
      requests += window.requests;
      return window;
    },
    observe(pgid, options) {
      const window = dependencies.observe(pgid, options);
      /** @type {ReturnType<typeof window.stop> | undefined} */
      let stopped;
      const stop = async () => {
        const observed = await window.stop();
        await rest();
        return observed;
      };
      return { stop: () => (stopped ??= stop()) };
    },
  };
}
