/** Shared by the managers' primaries: counts the instances that listen, and ends when the first one ends. */
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
  const report = () => writeFileSync(/** @type {string} */ (file), String(listening.size));
  report();
  cluster.on('listening', ({ id }) => {
    listening.add(id);
    report();
  });
  cluster.on('exit', ({ id }, code, signal) => {
    process.stderr.write(`instance ${id} of ${count} ended with ${signal ?? code}\n`);
    process.exit(1);
  });
  // Programs that an instance starts have no instances themselves.
  for (const name of ['PRIMARY', 'INSTANCES', 'LISTENING']) delete process.env[`PERF_ACTION_${name}`];
  return Number(count);
};
