/**
 * Metrics of a Node server from inside: `eventLoopDelayMs`, `eventLoopUtilisation`, `gc`, `heapBytes`. The
 * module that is preloaded into each of its processes measures in windows only.
 * @import { Window } from '../../types.js'
 * @import { Observer } from '../observers.js'
 */

import { max, sum } from 'd3-array';
import { fileURLToPath } from 'node:url';
import { areAmounts, preload } from '../preload-channel.js';

const MODULE = fileURLToPath(new URL('./runtime-metrics-preload.cjs', import.meta.url));

/** Delays count of processes with this share of the highest utilisation; others served nobody. */
const BUSY = 0.5;

/**
 * @typedef {object} Reading
 * @property {number} utilisation
 * @property {number} heapBytes
 * @property {NonNullable<Window['gc']>} [gc]
 * @property {NonNullable<Window['eventLoopDelayMs']>} [delayMs]
 */

/** @type {Observer} */
export const runtimeMetrics = {
  runtimes: ['node'],
  setting: 'runtimeMetrics',
  enter: () =>
    preload(MODULE, {
      variable: 'PERF_ACTION_RUNTIME_METRICS',
      isAnswer: ({ utilisation, heapBytes, gc = {}, delayMs = {} }) =>
        areAmounts([utilisation, heapBytes, ...Object.values(gc), ...Object.values(delayMs)]),
      figuresOf: (readings) => figuresOf(readings.flatMap((reading) => reading ?? [])),
    }),
};

/** Takes a reading of each process. @type {(readings: Reading[]) => Partial<Window>} */
function figuresOf(readings) {
  const utilisation = max(readings, (reading) => reading.utilisation);
  if (utilisation === undefined) return {};
  const collected = readings.flatMap(({ gc }) => gc ?? []);
  const busy = readings.filter((reading) => reading.utilisation >= BUSY * utilisation);
  const delays = busy.flatMap(({ delayMs }) => delayMs ?? []);
  return {
    eventLoopUtilisation: rounded(utilisation),
    ...(delays.length > 0 && {
      eventLoopDelayMs: {
        p50: rounded(max(delays, ({ p50 }) => p50)),
        p99: rounded(max(delays, ({ p99 }) => p99)),
        max: rounded(max(delays, (delay) => delay.max)),
      },
    }),
    ...(collected.length > 0 && {
      gc: {
        count: sum(collected, ({ count }) => count),
        pauseMs: rounded(sum(collected, ({ pauseMs }) => pauseMs)),
        longestMs: rounded(max(collected, ({ longestMs }) => longestMs)),
      },
    }),
    heapBytes: sum(readings, (reading) => reading.heapBytes),
  };
}

/** Rounds to three decimal places. @type {(value?: number) => number} */
export function rounded(value = 0) {
  return Math.round(value * 1000) / 1000;
}
