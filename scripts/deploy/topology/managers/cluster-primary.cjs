/** Runs the server's script, with its arguments, once per instance in Node's cluster. */
'use strict';

const cluster = /** @type {import('node:cluster').Cluster} */ (
  /** @type {unknown} */ (require('node:cluster'))
);
const { announce } = require('./instances.cjs');

for (let left = announce(); left > 0; left--) cluster.fork();
