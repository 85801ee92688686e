/**
 * Shows that autocannon kept running between windows tells what its own command line tells, and what that saves: pairs of
 * windows on one live server, in the order ABBA. One that is started spends its first seconds on compiling itself and sends
 * less meanwhile, so windows of a second differ, and long ones do not.
 *
 *     node bench/kept.js [PAIRS] [SECONDS]
 */

import { createRequire } from 'node:module';
import { startServer } from '../scripts/deploy/start/start.js';
import { readAutocannon } from '../scripts/load/tools/autocannon.js';
import { startLoading } from '../scripts/load/load.js';
import { runTool } from '../scripts/load/runner.js';
import { startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');
const SECONDS = Number(process.argv[3] ?? 1);
const CONNECTIONS = 64;

const pairs = Number(process.argv[2] ?? 20);
const { signal } = new AbortController();
const loading = startLoading();
const instance = await startServer(builtIn('node-http'), { signal });
const target = { ...closedLoad(instance.url, { seconds: SECONDS, connections: CONNECTIONS }), signal };
const kept = () => loading.load(target);
const started = () =>
  runTool(
    {
      command: async () => [
        process.execPath,
        AUTOCANNON,
        '--json',
        '-c',
        String(CONNECTIONS),
        '-d',
        String(SECONDS),
        `${instance.url}/`,
      ],
      parse: (stdout) => readAutocannon(JSON.parse(stdout)),
    },
    target,
  );

/** @type {{ rps: number, client: number, wall: number }[][]} */
const found = [[], []];
try {
  for (const warm of [kept, started, kept, started]) await warm();
  for (let pair = 0; pair < pairs; pair++)
    for (const way of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const window = startWindow(instance.pid, { clients: loading.groups });
      const before = performance.now();
      const { requests, seconds } = await (way === 0 ? kept() : started());
      const wall = (performance.now() - before) / 1000;
      const { cpu } = await window.stop();
      const client = cpu?.clientSeconds ?? Number.NaN;
      found[way]?.push({ rps: requests / seconds, client, wall });
    }
} finally {
  await Promise.all([loading.stop(), instance.stop()]);
}

console.log('| | kept, median | started, median | ratio, median of pairs | its standard error |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const key of /** @type {const} */ (['rps', 'client', 'wall'])) {
  const [a = [], b = []] = found.map((all) => all.map((each) => each[key]));
  const ratios = a.map((value, pair) => value / /** @type {number} */ (b[pair]));
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / pairs;
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (pairs - 1);
  const cells = [median(a), median(b), median(ratios), Math.sqrt(variance / pairs)];
  console.log(`| ${key} | ${cells.map((value) => value.toPrecision(4)).join(' | ')} |`);
}

/** @param {number[]} values */
function median(values) {
  return /** @type {number} */ (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);
}
