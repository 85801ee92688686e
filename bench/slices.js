/**
 * What slices gain: two starts of one server, loaded in windows of a second one after the other, and in windows as long in slices. The less the windows of one moment differ, the fewer of them it takes to see a change.
 *
 *     node bench/slices.js [BOOTS] [WINDOWS] [SERVER]
 */

import { startServer } from '../scripts/deploy/start/start.js';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startLoading } from '../scripts/load/load.js';
import { startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const [boots = 6, windows = 8] = process.argv.slice(2, 4).map(Number);
const server = builtIn(process.argv[4] ?? 'fastify');
const { signal } = new AbortController();
const loading = startLoading();

/** @typedef {{ url: string, pid: number }} Instance */
/** @type {Record<'one after the other' | 'in slices', { cpu: number, rate: number }[]>} differences of logarithms */
const found = { 'one after the other': [], 'in slices': [] };
await prepare(server, { signal });
for (let pair = 0; pair < boots; pair++) {
  const instances = await Promise.all([startServer(server, { signal }), startServer(server, { signal })]);
  try {
    for (let warm = 0; warm < 3; warm++) await inSlices(instances);
    for (let window = 0; window < windows; window++) {
      found['one after the other'].push(differenceOf(await oneAfterTheOther(instances, window)));
      found['in slices'].push(differenceOf(await inSlices(instances)));
    }
  } finally {
    await Promise.all(instances.map(({ stop }) => stop()));
  }
}
await loading.stop();

console.log('| neighbours | pairs | CPU per request | throughput |');
console.log('| --- | ---: | ---: | ---: |');
for (const [way, pairs] of Object.entries(found)) {
  const cells = [scatter(pairs.map(({ cpu }) => cpu)), scatter(pairs.map(({ rate }) => rate))];
  console.log(
    `| ${way} | ${pairs.length} | ${cells.map((value) => `${(100 * value).toFixed(1)} %`).join(' | ')} |`,
  );
}

/** @param {Instance} instance */
function target({ url }) {
  return closedLoad(url, { seconds: 1 });
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
