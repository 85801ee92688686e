/** Shared by the managers' primaries: counts the instances that listen, and ends when the first one ends. */
'use strict';

const cluster = /** @type {import('node:cluster').Cluster} */ (
  /** @type {unknown} */ (require('node:cluster'))
);
const { writeFileSync } = require('node:fs');

const { PERF_ACTION_INSTANCES: count, PERF_ACTION_LISTENING: file } = process.env;

exports.requestedInstances = Number(count);

exports.reportListening = () => {
  /** @type {Set<number>} */
  const listening = new Set();
  const writeCount = () => writeFileSync(/** @type {string} */ (file), String(listening.size));
  writeCount();
  cluster.on('listening', ({ id }) => {
    listening.add(id);
    writeCount();
  });
  cluster.on('exit', ({ id }, code, signal) => {
    process.stderr.write(`instance ${id} of ${count} ended with ${signal ?? code}\n`);
    process.exit(1);
  });
  // Programs that an instance starts have no instances themselves.
  for (const name of ['PRIMARY', 'INSTANCES', 'LISTENING']) delete process.env[`PERF_ACTION_${name}`];
};
