/**
 * What slices gain, and servers whose first threads share a core: two starts of one server, loaded in windows
 * of a second. The less neighbouring windows differ, the fewer of them it takes to see a change. CPU time of
 * user and of kernel mode apart shows what either is worth as a figure.
 *
 *     node bench/slices.js [--starts 6] [--windows 8] [--server fastify] [--tool autocannon] [--connections
 *       50]
 * @import { LoadedWindow } from '../scripts/types.js'
 */

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startServer } from '../scripts/deploy/start/start-server.js';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startLoading } from '../scripts/load/load.js';
import { startWindow } from '../scripts/observe/observe.js';
import { readProcess, runningInGroup } from '../scripts/system/process/proc.js';
import { shareCore } from '../scripts/system/process/shared-core.js';
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
const FIGURES = /** @type {const} */ (['cpu', 'user', 'kernel', 'rate']);
/** By one server, or logarithms between two. @typedef {Record<typeof FIGURES[number], number>} Figures */
/** @typedef {{ name: string, measure: typeof oneAfterTheOther, isShared: boolean, pairs: Figures[] }} Way */
/** @type {Way[]} pairs: differences of logarithms */
const WAYS = [
  { name: 'one after the other', measure: oneAfterTheOther, isShared: false, pairs: [] },
  { name: 'in slices', measure: inSlices, isShared: false, pairs: [] },
  { name: 'in slices, on one core', measure: inSlices, isShared: true, pairs: [] },
];
await prepare(server, { signal });
for (let pair = 0; pair < Number(options.starts); pair++) {
  const instances = await Promise.all([startServer(server, { signal }), startServer(server, { signal })]);
  try {
    for (let warm = 0; warm < 3; warm++) await inSlices(instances);
    for (let window = 0; window < Number(options.windows); window++)
      for (const { measure, isShared, pairs } of WAYS) {
        if (isShared) await shareCore(instances.map(({ pid }) => pid));
        else free(instances);
        pairs.push(differenceOf(await measure(instances, window)));
      }
  } finally {
    await Promise.all(instances.map(({ stop }) => stop()));
  }
}
await loading.stop();

console.log('| neighbours | pairs | CPU per request | of user mode | of the kernel | throughput |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const { name, pairs } of WAYS) {
  const scatters = FIGURES.map((figure) => scatter(pairs.map((pair) => pair[figure])));
  const percents = scatters.map((value) => `${(100 * value).toFixed(1)} %`);
  console.log(`| ${name} | ${pairs.length} | ${percents.join(' | ')} |`);
}

/** @param {Instance[]} instances may use all cores again */
function free(instances) {
  const all = `0-${availableParallelism() - 1}`;
  for (const pid of instances.flatMap((instance) => runningInGroup(instance.pid)))
    execFileSync('taskset', ['--cpu-list', '--pid', all, String(pid)], { stdio: 'ignore' });
}

/** @param {Instance} instance */
function target({ url }) {
  return closedLoad(url, { seconds: 1, tool: options.tool, connections: Number(options.connections) });
}

/**
 * @param {Instance[]} instances
 * @param {number} window who of two goes first changes with it
 */
async function oneAfterTheOther(instances, window) {
  /** @type {Figures[]} */
  const measured = [];
  for (const place of window % 2 === 0 ? [0, 1] : [1, 0]) {
    const instance = /** @type {Instance} */ (instances[place]);
    const stop = observe(instance);
    measured[place] = await stop(await loading.load({ ...target(instance), signal }));
  }
  return measured;
}

/** @param {Instance[]} instances */
async function inSlices(instances) {
  const stops = instances.map(observe);
  const loaded = await loading.interleave(instances.map(target), signal);
  return Promise.all(stops.map((stop, place) => stop(/** @type {LoadedWindow} */ (loaded[place]))));
}

/**
 * What it used since then, by request.
 * @type {(instance: Instance) => (window: LoadedWindow) => Promise<Figures>}
 */
function observe({ pid }) {
  const observer = startWindow(pid, { clients: loading.groups });
  const before = ticksOf(pid);
  return async ({ requests, seconds }) => {
    const after = ticksOf(pid);
    const { cpu } = await observer.stop();
    return {
      cpu: (cpu?.serverSeconds ?? Number.NaN) / requests,
      user: (after.user - before.user) / requests,
      kernel: (after.kernel - before.kernel) / requests,
      rate: requests / seconds,
    };
  };
}

/** @param {number} group */
function ticksOf(group) {
  const processes = runningInGroup(group).flatMap((pid) => readProcess(pid) ?? []);
  const kernel = processes.reduce((total, { systemTicks }) => total + systemTicks, 0);
  return { kernel, user: processes.reduce((total, { ownTicks }) => total + ownTicks, 0) - kernel };
}

/** @type {(two: Figures[]) => Figures} */
function differenceOf([first, second]) {
  const between = FIGURES.map((figure) => [
    figure,
    Math.log((second?.[figure] ?? 0) / (first?.[figure] ?? 0)),
  ]);
  return Object.fromEntries(between);
}

/**
 * @param {number[]} values that differ by chance alone
 * @returns {number} around nothing
 */
function scatter(values) {
  return Math.sqrt(values.reduce((total, value) => total + value ** 2, 0) / values.length);
}
