/**
 * What an alternating warm-up gains: two starts of one server with a JIT compiler, loaded for the same time,
 * one after the other or alternately in slices, and what a request costs each of them then.
 *
 *     node bench/warm-up.js [PAIRS] [SERVER]
 */

import { startServer } from '../scripts/deploy/start/start-server.js';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startLoading } from '../scripts/load/load.js';
import { startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const CONNECTIONS = 100;
/** Of each of the two. */
const STEPS = 24;
const WINDOWS = 4;

const pairs = Number(process.argv[2] ?? 3);
const server = builtIn(process.argv[3] ?? 'spring-tomcat');
const { signal } = new AbortController();
const loading = startLoading();

/** @typedef {{ url: string, pid: number }} Instance */
/** @type {Record<string, (instances: Instance[]) => Promise<void>>} */
const WAYS = {
  async 'one after the other'(instances) {
    for (const instance of instances)
      for (let step = 0; step < STEPS; step++) await loading.load({ ...target(instance), signal });
  },
  async 'in turn'(instances) {
    for (let step = 0; step < STEPS; step++) await inSlices(instances);
  },
};

await prepare(server, { signal });
console.log('| warmed up | µs of CPU per request then, of both | of a core, their compilers |');
console.log('| --- | ---: | ---: |');
for (let pair = 0; pair < pairs; pair++)
  for (const way of pair % 2 === 0 ? Object.keys(WAYS) : Object.keys(WAYS).toReversed()) {
    const instances = await Promise.all([startServer(server, { signal }), startServer(server, { signal })]);
    try {
      await WAYS[way]?.(instances);
      const found = await measure(instances);
      const costs = found.map(({ us }) => us.toFixed(0)).join(' and ');
      const compilers = found.map(({ compiling }) => compiling.toFixed(1)).join(' and ');
      console.log(`| ${way} | ${costs} | ${compilers} |`);
    } finally {
      await Promise.all(instances.map(({ stop }) => stop()));
    }
  }
await loading.stop();

/** @param {Instance} instance */
function target({ url }) {
  return closedLoad(url, { seconds: 1, connections: CONNECTIONS });
}

/** @param {Instance[]} instances */
function inSlices(instances) {
  return loading.interleave(instances.map(target), signal);
}

/**
 * @param {Instance[]} instances
 * @returns {Promise<{ us: number, compiling: number }[]>} of each
 */
async function measure(instances) {
  const startedAt = performance.now();
  const observers = instances.map(({ pid }) =>
    startWindow(pid, { clients: loading.groups, runtime: server.runtime }),
  );
  const requests = instances.map(() => 0);
  for (let turn = 0; turn < WINDOWS; turn++) {
    const loaded = await inSlices(instances);
    loaded.forEach((window, place) => (requests[place] = (requests[place] ?? 0) + window.requests));
  }
  const ms = performance.now() - startedAt;
  return Promise.all(
    observers.map(async ({ stop }, place) => {
      const { cpu, jvm } = await stop();
      return {
        us: (1e6 * (cpu?.serverSeconds ?? Number.NaN)) / (requests[place] ?? 0),
        compiling: (jvm?.compileMs ?? Number.NaN) / ms,
      };
    }),
  );
}
