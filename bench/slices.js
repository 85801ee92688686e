/**
 * What slices gain, and a core each for the load and for the servers: two starts of one server, loaded in windows of a second. The less
 * neighbouring windows differ, the fewer of them it takes to see a change. On machines of two cores.
 *
 *     node bench/slices.js [--starts 6] [--windows 8] [--server fastify] [--tool autocannon] [--connections 50]
 */

import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startServer } from '../scripts/deploy/start/start.js';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startLoading } from '../scripts/load/load.js';
import { startWindow } from '../scripts/observe/observe.js';
import { runningInGroup } from '../scripts/system/process/proc.js';
import { builtIn, closedLoad } from './one-server.js';

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '6' },
    windows: { type: 'string', default: '8' },
    server: { type: 'string', default: 'fastify' },
    tool: { type: 'string', default: 'autocannon' },
    connections: { type: 'string', default: '50' },
  },
});
const server = builtIn(options.server);
const { signal } = new AbortController();
const loading = startLoading();

/** @typedef {{ url: string, pid: number }} Instance */
/** @typedef {{ name: string, measure: typeof oneAfterTheOther, isApart: boolean, pairs: { cpu: number, rate: number }[] }} Way */
/** @type {Way[]} pairs: differences of logarithms */
const WAYS = [
  { name: 'one after the other', measure: oneAfterTheOther, isApart: false, pairs: [] },
  { name: 'in slices', measure: inSlices, isApart: false, pairs: [] },
  { name: 'one after the other, a core each', measure: oneAfterTheOther, isApart: true, pairs: [] },
  { name: 'in slices, a core each', measure: inSlices, isApart: true, pairs: [] },
];
await prepare(server, { signal });
for (let pair = 0; pair < Number(options.starts); pair++) {
  const instances = await Promise.all([startServer(server, { signal }), startServer(server, { signal })]);
  try {
    for (let warm = 0; warm < 3; warm++) await inSlices(instances);
    for (let window = 0; window < Number(options.windows); window++)
      for (const { measure, isApart, pairs } of WAYS) {
        setCores(instances, isApart ? { load: '0', servers: '1' } : { load: '0,1', servers: '0,1' });
        pairs.push(differenceOf(await measure(instances, window)));
      }
  } finally {
    await Promise.all(instances.map(({ stop }) => stop()));
  }
}
await loading.stop();

console.log('| neighbours | pairs | CPU per request | throughput |');
console.log('| --- | ---: | ---: | ---: |');
for (const { name, pairs } of WAYS) {
  const cells = [scatter(pairs.map(({ cpu }) => cpu)), scatter(pairs.map(({ rate }) => rate))];
  const percents = cells.map((value) => `${(100 * value).toFixed(1)} %`);
  console.log(`| ${name} | ${pairs.length} | ${percents.join(' | ')} |`);
}

/**
 * Load tools that are started for each window inherit the cores of this process.
 * @param {Instance[]} instances
 * @param {{ load: string, servers: string }} cores
 */
function setCores(instances, cores) {
  const set = (/** @type {number} */ pid, /** @type {string} */ list) =>
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)], { stdio: 'ignore' });
  for (const pid of instances.flatMap((instance) => runningInGroup(instance.pid))) set(pid, cores.servers);
  for (const pid of [process.pid, ...loading.groups()]) set(pid, cores.load);
}

/** @param {Instance} instance */
function target({ url }) {
  return closedLoad(url, { seconds: 1, tool: options.tool, connections: Number(options.connections) });
}

/** @param {Instance[]} instances @param {number} window who of two goes first changes with it */
async function oneAfterTheOther(instances, window) {
  /** @type {{ cpu: number, rate: number }[]} */
  const measured = [];
  for (const place of window % 2 === 0 ? [0, 1] : [1, 0]) {
    const instance = /** @type {Instance} */ (instances[place]);
    const observer = startWindow(instance.pid, { clients: loading.groups });
    const loaded = await loading.load({ ...target(instance), signal });
    measured[place] = figuresOf(loaded, await observer.stop());
  }
  return measured;
}

/** @param {Instance[]} instances */
async function inSlices(instances) {
  const observers = instances.map(({ pid }) => startWindow(pid, { clients: loading.groups }));
  const loaded = await loading.weave(instances.map(target), signal);
  return Promise.all(
    loaded.map(async (window, place) => figuresOf(window, (await observers[place]?.stop()) ?? {})),
  );
}

/**
 * @param {{ requests: number, seconds: number }} window
 * @param {{ cpu?: { serverSeconds: number } }} observed
 */
function figuresOf({ requests, seconds }, { cpu }) {
  return { cpu: (cpu?.serverSeconds ?? Number.NaN) / requests, rate: requests / seconds };
}

/** @param {{ cpu: number, rate: number }[]} two */
function differenceOf([first, second]) {
  const between = (/** @type {'cpu' | 'rate'} */ figure) =>
    Math.log((second?.[figure] ?? 0) / (first?.[figure] ?? 0));
  return { cpu: between('cpu'), rate: between('rate') };
}

/** @param {number[]} values that differ by chance alone @returns {number} around nothing */
function scatter(values) {
  return Math.sqrt(values.reduce((total, value) => total + value ** 2, 0) / values.length);
}
