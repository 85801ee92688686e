/** Loaded by autocannon for each connection: its options, which its threads copy, can hold text only. */

'use strict';

/**
 * By its iterator: `client.setBody` refuses where requests are pipelined, though none is on its way yet.
 * @param {{ opts: { body: string }, requestIterator: { setBody: (body: Buffer) => void } }} client
 */
module.exports = ({ opts, requestIterator }) => requestIterator.setBody(Buffer.from(opts.body, 'base64'));
