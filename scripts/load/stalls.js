/**
 * Requests that were never answered. Some tools report how long requests waited that had no answer when the window ended. For the
 * others: in a closed loop a connection waits for an answer all the time, so latencies that add up to little say that most
 * connections waited for answers that never came.
 * @import { LoadedWindow } from '../types.js'
 * @import { Target } from './tools.js'
 */

import { max } from 'd3-array';

/** A request has stalled when it has waited for this share of the window, and for this multiple of the mean answer. */
const STALLED = { window: 0.5, answers: 3 };
/** Clients pause between answers, and the last requests of a window are still on their way: neither takes half of the time. */
const LEAST_SHARE = 0.5;
/** A server whose answers take a third of a window may just not have answered yet. */
const SLOW_SHARE = 1 / 3;

/**
 * @param {LoadedWindow} window
 * @param {Target} target
 * @param {number} [stepMs] the step in which the tool counts latencies
 * @returns {LoadedWindow} with `errors.stalls` where requests stalled, and without `unansweredMs`
 */
export function withStalls({ unansweredMs, ...window }, target, stepMs = 0) {
  const stalls = unansweredMs
    ? stalledOf(unansweredMs, window).length
    : silentConnections(window, target, stepMs) * target.load.pipelining;
  if (stalls === 0) return window;
  // Locust's window ends with the last answer, which may be its first.
  const longest = (max(unansweredMs ?? []) ?? 0) / 1000;
  const seconds = Math.max(window.seconds, Math.min(target.seconds, longest));
  return { ...window, seconds, errors: { ...window.errors, stalls } };
}

/** @param {number[]} waitsMs @param {LoadedWindow} window */
function stalledOf(waitsMs, { seconds, latencyMs }) {
  const leastMs = Math.max(STALLED.window * seconds * 1000, STALLED.answers * (latencyMs?.avg ?? 0));
  return waitsMs.filter((ms) => ms >= leastMs);
}

/** @param {LoadedWindow} window @param {Target} target @param {number} stepMs @returns {number} 0 where nobody can know */
function silentConnections(window, { load, seconds: duration, requests: asked }, stepMs) {
  const { errors = {}, latencyMs, requests } = window;
  const { timeouts = 0, connect = 0, write = 0, resets = 0 } = errors;
  const isReported = 'stalls' in errors || timeouts + connect + write + resets > 0;
  if (isReported || load.script !== undefined || load.rate !== undefined) return 0;
  const seconds = asked === undefined ? duration : window.seconds;
  const answerSeconds = latencyMs?.avg === undefined ? 0 : (latencyMs.avg + stepMs / 2) / 1000;
  if (answerSeconds > SLOW_SHARE * seconds) return 0;
  // Pipelined requests of a connection share one wait.
  const waited = (requests / load.pipelining) * answerSeconds;
  const silentShare = 1 - waited / (load.connections * seconds);
  return silentShare < LEAST_SHARE ? 0 : Math.round(silentShare * load.connections);
}
