/** What the managers' primaries have in common: they tell how many instances listen, and end with the first that ends. */
'use strict';

const cluster = /** @type {import('node:cluster').Cluster} */ (
  /** @type {unknown} */ (require('node:cluster'))
);
const { writeFileSync } = require('node:fs');

const { PERF_ACTION_INSTANCES: count, PERF_ACTION_LISTENING: file } = process.env;

/** @returns {number} how many instances are asked for */
exports.announce = () => {
  /** @type {Set<number>} */
  const listening = new Set();
  const tell = () => writeFileSync(/** @type {string} */ (file), String(listening.size));
  tell();
  cluster.on('listening', ({ id }) => {
    listening.add(id);
    tell();
  });
  cluster.on('exit', ({ id }, code, signal) => {
    process.stderr.write(`instance ${id} of ${count} ended with ${signal ?? code}\n`);
    process.exit(1);
  });
  // Nothing that an instance starts is to have instances in turn.
  for (const name of ['PRIMARY', 'INSTANCES', 'LISTENING']) delete process.env[`PERF_ACTION_${name}`];
  return Number(count);
};
