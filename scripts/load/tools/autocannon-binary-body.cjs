/** Loaded by autocannon for each connection: its options, which its threads copy, can hold text only. */

'use strict';

const reconnect = require('./autocannon-reconnect.cjs');

/**
 * Sets the body by the iterator, since `client.setBody` refuses where requests are pipelined.
 * @param {Parameters<typeof reconnect>[0] & { opts: { body: string }, requestIterator: { setBody: (body: Buffer) => void } }} client
 */
module.exports = (client) => {
  client.requestIterator.setBody(Buffer.from(client.opts.body, 'base64'));
  reconnect(client);
};
