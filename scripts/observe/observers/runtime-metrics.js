/**
 * Runtime metrics of a Node server: `eventLoopDelayMs`, `eventLoopUtilisation`, `gc`, `heapBytes`. A module that is preloaded into every
 * process of the server answers at the end of a window, over a Unix socket. It measures in windows only.
 * @import { Window } from '../../types.js'
 * @import { Observer } from '../observers.js'
 */

import { fileURLToPath } from 'node:url';
import { preload } from '../preload-channel.js';
import { sum } from '../cpu-accounting.js';

const MODULE = fileURLToPath(new URL('./runtime-metrics-preload.cjs', import.meta.url));

/** What a process says is short; a stranger's code may say anything. */
const LONGEST = 4096;
/** Of the busiest process's utilisation: one that was less busy served nobody, and how late it was tells nothing. */
const BUSY = 0.5;

/**
 * @typedef {{ turn: number, utilisation: number, heapBytes: number, gc?: NonNullable<Window['gc']>,
 *   delayMs?: NonNullable<Window['eventLoopDelayMs']> }} Told
 */

/** @type {Observer} */
export const runtimeMetrics = {
  label: 'event loop, garbage collection and heap of Node servers',
  reads: 'perf_hooks, in the server',
  platforms: ['linux', 'darwin'],
  runtimes: ['node'],
  start: () => ({ stop: () => ({}) }),

  async enter() {
    const { begin, end, ...rest } = await preload(MODULE, {
      variable: 'PERF_ACTION_RUNTIME_METRICS',
      longest: LONGEST,
    });
    return {
      ...rest,
      start() {
        begin();
        return { stop: async () => joined((await end()).flatMap(parsed)) };
      },
    };
  },
};

/** @param {string} text @returns {Told[]} none where it is not what our module says */
function parsed(text) {
  try {
    const reading = JSON.parse(text);
    const { gc = {}, delayMs = {} } = reading;
    const numbers = [reading.utilisation, reading.heapBytes, ...Object.values(gc)];
    const all = [...numbers, ...Object.values(delayMs)];
    return all.every((value) => Number.isFinite(value) && value >= 0) ? [reading] : [];
  } catch {
    return [];
  }
}

/**
 * Delays of those processes that were busy, the worst of them; the others' figures added up.
 * @param {Told[]} all
 * @returns {Partial<Window>}
 */
function joined(all) {
  if (all.length === 0) return {};
  const collected = all.flatMap(({ gc }) => gc ?? []);
  const utilisation = Math.max(...all.map((reading) => reading.utilisation));
  const delays = all.flatMap((reading) =>
    reading.utilisation >= BUSY * utilisation ? (reading.delayMs ?? []) : [],
  );
  const worst = (/** @type {'p50' | 'p99' | 'max'} */ name) =>
    rounded(Math.max(...delays.map((each) => each[name])));
  return {
    eventLoopUtilisation: rounded(utilisation),
    ...(delays.length > 0 && {
      eventLoopDelayMs: { p50: worst('p50'), p99: worst('p99'), max: worst('max') },
    }),
    ...(collected.length > 0 && {
      gc: {
        count: sum(collected.map(({ count }) => count)),
        pauseMs: rounded(sum(collected.map(({ pauseMs }) => pauseMs))),
        longestMs: rounded(Math.max(...collected.map(({ longestMs }) => longestMs))),
      },
    }),
    heapBytes: sum(all.map(({ heapBytes }) => heapBytes)),
  };
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1000) / 1000;
}
