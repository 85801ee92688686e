/** Sets up each connection of autocannon, in its threads too, which get options of text only. */

'use strict';

/**
 * @param {{ opts: { body?: string }, requestIterator: { setBody: (body: Buffer) => void }, _connect: () => void,
 *   pipelinedRequests: { clear: () => void } }} client
 */
module.exports = (client) => {
  const { body } = client.opts;
  // By the iterator, since `client.setBody` refuses where requests are pipelined.
  if (body !== undefined) client.requestIterator.setBody(Buffer.from(body, 'base64'));
  const connect = client._connect.bind(client);
  client._connect = () => {
    // autocannon keeps lost requests in its queue, and would report the latency of a later answer from the time they were sent.
    client.pipelinedRequests.clear();
    connect();
  };
};
