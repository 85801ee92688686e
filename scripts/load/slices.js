/**
 * The slices in which loads alternate. Each started tool is given its own, on a clock that all share.
 * @import { Target } from './tools.js'
 */

import { sum } from 'd3-array';

export const SLICE_MS = 20;
/** A slice lasts so many times as long as the wait for last answers. */
const WAITS = 10;
/** With fewer slices, windows would differ by more than moments do. */
const LEAST_SLICES = 4;
/** Node closes a connection that is idle for five seconds, and autocannon gives one up that is for ten. */
const LONGEST_CYCLE_MS = 4000;
/** The tools start and connect before the first slice. */
const LEAD_MS = 100;
/** wrk reads its requests first: 22 MB take it 150 to 220 ms. */
const LEAD_MS_PER_MB = 20;

/**
 * When one of several tools sends, in milliseconds: from `startMs` on the monotonic clock, in each cycle
 * after `firstMs` and again after `secondMs`, for `openMs`; all have ended after `lengthMs`.
 * @typedef {Record<'startMs' | 'lengthMs' | 'cycleMs' | 'openMs' | 'firstMs' | 'secondMs' | 'totalSeconds',
 *   number>} Slices
 */

/**
 * There and back, so that a steady rise or fall hits all alike. Targets are loaded for as many seconds each;
 * answerMs: how long the slowest server takes to answer all requests under way.
 * @type {(targets: Target[], answerMs: number) => Slices[]}
 */
export function slicesOf(targets, answerMs) {
  const [{ seconds }] = /** @type {[Target]} */ (targets);
  const pauseMs = Math.ceil(answerMs);
  const longest = sliceMsOf({ loads: targets.length, seconds, answerMs: pauseMs });
  const cycles = Math.ceil((seconds * 1000) / 2 / longest);
  const sliceMs = (seconds * 1000) / 2 / cycles;
  const cycleMs = 2 * targets.length * sliceMs;
  const leadMs = LEAD_MS + LEAD_MS_PER_MB * (sum(targets, ({ bytes }) => bytes?.length ?? 0) / 1e6);
  const startMs = Number(process.hrtime.bigint()) / 1e6 + leadMs;
  return targets.map((_target, index) => ({
    startMs,
    lengthMs: cycles * cycleMs,
    cycleMs,
    openMs: sliceMs - Math.min(pauseMs, sliceMs / 2),
    firstMs: index * sliceMs,
    secondMs: cycleMs - (index + 1) * sliceMs,
    totalSeconds: (leadMs + cycles * cycleMs) / 1000,
  }));
}

/**
 * How long a slice lasts, in milliseconds. seconds: how long each is loaded at least; answerMs: the wait for
 * the last answers of a slice.
 * @type {(alternating: { loads: number, seconds: number, answerMs: number }) => number}
 */
export function sliceMsOf({ loads, seconds, answerMs }) {
  // There and back.
  const longest = Math.min(LONGEST_CYCLE_MS / loads / 2, (seconds * 1000) / LEAST_SLICES);
  return Math.min(longest, Math.max(SLICE_MS, WAITS * answerMs));
}
