/** Requests that vary, in autocannon's process and in its threads, which load no modules. */

'use strict';

const { readFileSync } = require('node:fs');

/** Before each request, as requestBytes in load/request.js writes it. */
const LENGTH_DIGITS = 10;

/** @type {(file: string) => Buffer[]} */
exports.requestsIn = (file) => {
  const bytes = readFileSync(file);
  const requests = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + LENGTH_DIGITS;
    at = start + Number(bytes.toString('latin1', at, start));
    requests.push(bytes.subarray(start, at));
  }
  return requests;
};

/**
 * Lets connections send the requests in order, again and again; one of several threads sends every `step`th.
 * @type {(requests: Buffer[], part?: { first?: number, step?: number }) =>
 *   (client: { getRequestBuffer: () => Buffer }) => void}
 */
exports.sendAll = (requests, { first = 0, step = 1 } = {}) => {
  let next = first % requests.length;
  const take = () => {
    const request = /** @type {Buffer} */ (requests[next]);
    next = (next + step) % requests.length;
    return request;
  };
  return (client) => {
    client.getRequestBuffer = take;
  };
};
