/**
 * The slices in which started tools alternate: each tool is given its own, on a clock that all share.
 * @import { Target } from './tools.js'
 */

import { sliceMsOf } from './request.js';

/** The tools start and connect before the first slice. */
const LEAD_MS = 100;

/**
 * When one of several tools sends, in milliseconds: from `startMs` on the monotonic clock, in each cycle after `firstMs` and again after
 * `secondMs`, for `openMs`.
 * @typedef {object} Slices
 * @property {number} startMs
 * @property {number} lengthMs after which all have ended
 * @property {number} cycleMs
 * @property {number} openMs
 * @property {number} firstMs
 * @property {number} secondMs
 * @property {number} totalSeconds
 */

/**
 * There and back, so that a steady rise or fall hits all alike.
 * @param {Target[]} targets loaded for as many seconds each
 * @param {number} answerMs how long the slowest server takes to answer all requests under way
 * @returns {Slices[]}
 */
export function slicesOf(targets, answerMs) {
  const [{ seconds }] = /** @type {[Target]} */ (targets);
  const pauseMs = Math.ceil(answerMs);
  const longest = sliceMsOf({ loads: targets.length, seconds, answerMs: pauseMs });
  const cycles = Math.ceil((seconds * 1000) / 2 / longest);
  const sliceMs = (seconds * 1000) / 2 / cycles;
  const cycleMs = 2 * targets.length * sliceMs;
  const startMs = Number(process.hrtime.bigint()) / 1e6 + LEAD_MS;
  return targets.map((_target, place) => ({
    startMs,
    lengthMs: cycles * cycleMs,
    cycleMs,
    openMs: sliceMs - Math.min(pauseMs, sliceMs / 2),
    firstMs: place * sliceMs,
    secondMs: cycleMs - (place + 1) * sliceMs,
    totalSeconds: (LEAD_MS + cycles * cycleMs) / 1000,
  }));
}
