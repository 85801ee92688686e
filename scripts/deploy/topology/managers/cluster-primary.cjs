/** Runs the server's script, with its arguments, once per instance in Node's cluster. */
'use strict';

const cluster = /** @type {import('node:cluster').Cluster} */ (
  /** @type {unknown} */ (require('node:cluster'))
);
const { reportListening, requestedInstances } = require('./instances.cjs');

reportListening();
for (let left = requestedInstances; left > 0; left--) cluster.fork();
