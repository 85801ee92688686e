/**
 * What several tools need to send a request.
 * @import { Target } from './tools.js'
 */

/** What a tool can do that sends any request. */
export const ANY_REQUEST = /** @type {const} */ ({
  keepAliveOff: true,
  https: true,
  method: true,
  headers: true,
  body: true,
});

/** @param {Target} target @returns {Record<string, string>} its headers, and the one that closes connections without keep-alive */
export function headersOf({ load, request }) {
  return load.keepAlive ? request.headers : { ...request.headers, connection: 'close' };
}

/** JSON holds text only. @param {Target['request']} request @returns {{ body?: string }} its body in base64 */
export function encodedBody({ body }) {
  return body === undefined ? {} : { body: Buffer.from(body).toString('base64') };
}

export const SLICE_MS = 20;
/** A slice lasts so many times as long as the wait for last answers. */
const WAITS = 10;
/** With fewer slices, windows would differ by more than moments do. */
const LEAST_SLICES = 4;
/** Node closes a connection that is idle for five seconds, and autocannon gives one up that is for ten. */
const LONGEST_CYCLE_MS = 4000;

/** @param {number} loads that alternate, there and back @returns {number} the longest slice of one, in milliseconds */
export function longestSliceMs(loads) {
  return LONGEST_CYCLE_MS / loads / 2;
}

/**
 * @param {{ loads: number, seconds: number, answerMs: number }} alternating seconds: how long each is loaded at least; answerMs: the wait
 *   for the last answers of a slice
 * @returns {number} how long a slice lasts, in milliseconds
 */
export function sliceMsOf({ loads, seconds, answerMs }) {
  const longest = Math.min(longestSliceMs(loads), (seconds * 1000) / LEAST_SLICES);
  return Math.min(longest, Math.max(SLICE_MS, WAITS * answerMs));
}
