/**
 * Shows what observers inside a server cost: CPU time per request of one start of the reference, loaded
 * alternately in windows with and without them (ABBA).
 *
 *     node bench/observe.js [PAIRS] [metrics]    metrics: those of runtimeMetrics, too
 */

import { startServer } from '../scripts/deploy/start/start-server.js';
import { estimate, percent } from '../scripts/judge/mean-estimate.js';
import { halfWidth } from '../scripts/samples/interval.js';
import { startLoading } from '../scripts/load/load.js';
import { enter, startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const server = builtIn('node-http');
const { signal } = new AbortController();
const pairs = Number(process.argv[2] ?? 60);

const loading = startLoading();
const inside = await enter('node', { ...(process.argv[3] && { runtimeMetrics: true }) });
const instance = await startServer(server, { signal, inside });
/** @type {number[]} */
const differences = [];
try {
  for (const isObserved of [true, false, false, true]) await microseconds(isObserved);
  for (let pair = 0; pair < pairs; pair++) {
    const isFirst = pair % 2 === 0;
    const first = Math.log(await microseconds(isFirst));
    const second = Math.log(await microseconds(!isFirst));
    differences.push(isFirst ? first - second : second - first);
  }
} finally {
  await instance.stop();
  for (const observer of inside) await observer.stop();
  await loading.stop();
}
const found = estimate(differences.map((difference) => [difference]));
if (found) {
  const half = halfWidth(found);
  const [low, high] = [found.effect - half, found.effect + half].map((log) => percent(log).toFixed(2));
  console.log(
    `CPU per request, observed against not: ${percent(found.effect).toFixed(2)} % (${low} to ${high} %)`,
  );
}

/** @param {boolean} isObserved */
async function microseconds(isObserved) {
  const window = startWindow(instance.pid, isObserved ? { runtime: 'node', inside } : {});
  const { requests } = await loading.load({
    ...closedLoad(instance.url, { seconds: 1, tool: 'wrk' }),
    signal,
  });
  const { cpu } = await window.stop();
  return ((cpu?.serverSeconds ?? Number.NaN) / requests) * 1e6;
}
