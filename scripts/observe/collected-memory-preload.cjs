/**
 * Preloaded into a Node server: forces a garbage collection when the engine asks, and sends the memory that is left. The server's own
 * code sees no `gc`. It listens on no port, keeps no process running, and stays silent where the socket is gone.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

const ASK = 'e'.charCodeAt(0);

const { PERF_ACTION_COLLECTED_MEMORY: address } = process.env;
if (isMainThread && address !== undefined) answerOn(address);

/** @param {string} path of the socket */
function answerOn(path) {
  const { connect } = require('node:net');
  const { setFlagsFromString } = require('node:v8');
  const { runInNewContext } = require('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');

  const answer = () => {
    collect();
    // Callbacks of finalizers run in between, and what they release goes with the second collection.
    setImmediate(() => {
      collect();
      const { heapUsed, external, rss } = process.memoryUsage();
      const reading = { heapBytes: heapUsed, externalBytes: external, rssBytes: rss };
      socket.write(`${JSON.stringify(reading)}\n`);
    });
  };
  const socket = connect(path, () => socket.unref());
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const byte of chunk) if (byte === ASK) answer();
  });
}
