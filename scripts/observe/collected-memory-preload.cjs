/** In a Node server: collects garbage when asked, and sends what memory is left. Its code sees no `gc`. */
'use strict';

const { answerOn } = require('./preload-answers.cjs');

answerOn('PERF_ACTION_COLLECTED_MEMORY', () => {
  const { setFlagsFromString } = require('node:v8');
  const { runInNewContext } = require('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return {
    end(send) {
      collect();
      // Callbacks of finalizers run in between, and what they release goes with the second collection.
      setImmediate(() => {
        collect();
        const { heapUsed, external, rss } = process.memoryUsage();
        send({ heapBytes: heapUsed, externalBytes: external, rssBytes: rss });
      });
    },
  };
});
