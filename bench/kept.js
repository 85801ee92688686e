/**
 * Shows that autocannon kept running between windows reports the same as its own command line, and what that
 * saves: pairs of windows on one server, in the order ABBA. A new process compiles itself in its first
 * seconds and sends less, so windows of a second differ, and long ones do not.
 *
 *     node bench/kept.js [PAIRS] [SECONDS]
 */

import { deviation, median } from 'd3-array';
import { createRequire } from 'node:module';
import { startServer } from '../scripts/deploy/start/start-server.js';
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
        ...`--json -c ${CONNECTIONS} -d ${SECONDS} ${instance.url}/`.split(' '),
      ],
      parse: (stdout) => readAutocannon(JSON.parse(stdout)),
    },
    target,
  );

/** @type {{ rps: number, client: number, wall: number }[][]} */
const measured = [[], []];
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
      measured[way]?.push({ rps: requests / seconds, client, wall });
    }
} finally {
  await Promise.all([loading.stop(), instance.stop()]);
}

console.log('| | kept, median | started, median | ratio, median of pairs | its standard error |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const key of /** @type {const} */ (['rps', 'client', 'wall'])) {
  const [a = [], b = []] = measured.map((windows) => windows.map((window) => window[key]));
  const ratios = a.map((value, pair) => value / /** @type {number} */ (b[pair]));
  const cells = [median(a), median(b), median(ratios), (deviation(ratios) ?? Number.NaN) / Math.sqrt(pairs)];
  console.log(`| ${key} | ${cells.map((value) => value?.toPrecision(4)).join(' | ')} |`);
}
