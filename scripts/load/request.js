/**
 * What several tools need to send a request.
 * @import { Target } from './tools.js'
 */

/** How long a tool waits at most for the answers to requests under way when its time is up. */
export const LAST_ANSWERS_SECONDS = 10;

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
