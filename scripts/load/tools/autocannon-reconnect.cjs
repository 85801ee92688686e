/** Loaded by autocannon for each connection: empties its queue of lost requests when it reconnects, see autocannon-lost.js. */

'use strict';

/** @param {{ _connect: () => void, pipelinedRequests: { clear: () => void } }} client */
module.exports = (client) => {
  const connect = client._connect.bind(client);
  client._connect = () => {
    client.pipelinedRequests.clear();
    connect();
  };
};
