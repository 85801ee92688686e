/**
 * How many requests warm a server up: two starts of one server, one warmed up with so many requests, the
 * other with far more, then loaded alternately in slices. Prints how much more CPU a request costs the first,
 * in each second of load.
 *
 *     node bench/warm-requests.js [--server fastify] [--requests 2000,4000,8000,15000] [--many 40000]
 *       [--pairs 6]
 */

import { parseArgs } from 'node:util';
import { deviation, mean } from 'd3-array';
import { startServer } from '../scripts/deploy/start/start-server.js';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startLoading } from '../scripts/load/load.js';
import { startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const SECONDS = 3;
/** Short enough to end near the number that is asked for. */
const STEP_SECONDS = 0.1;

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'fastify' },
    requests: { type: 'string', default: '2000,4000,8000,15000' },
    many: { type: 'string', default: '40000' },
    pairs: { type: 'string', default: '6' },
  },
});
const server = builtIn(values.server);
const { signal } = new AbortController();
const loading = startLoading();
await prepare(server, { signal });
const numbers = values.requests.split(',').map(Number);
/** @type {Map<number, number[][]>} percents of each second of each pair */
const found = new Map(numbers.map((requests) => [requests, []]));
for (let pair = 0; pair < Number(values.pairs); pair++)
  for (const requests of numbers) {
    const [few, many] = await Promise.all([startServer(server, { signal }), startServer(server, { signal })]);
    try {
      await answer(many, Number(values.many));
      await answer(few, requests);
      const seconds = [];
      for (let second = 0; second < SECONDS; second++) seconds.push(await compare(few, many));
      found.get(requests)?.push(seconds);
    } finally {
      await Promise.all([few.stop(), many.stop()]);
    }
  }
await loading.stop();

const heads = Array.from({ length: SECONDS }, (_, second) => `second ${second + 1}`);
console.log(`| requests of the warm-up | ${heads.join(' | ')} |\n| ---: |${' ---: |'.repeat(SECONDS)}`);
for (const [requests, pairs] of found) {
  const cells = heads.map((_, second) => {
    const percents = pairs.map((seconds) => seconds[second] ?? Number.NaN);
    const error = (deviation(percents) ?? Number.NaN) / Math.sqrt(percents.length);
    return `${mean(percents)?.toFixed(1)} ± ${error.toFixed(1)} %`;
  });
  console.log(`| ${requests.toLocaleString('en')} | ${cells.join(' | ')} |`);
}

/** @typedef {{ url: string, pid: number }} Instance */

/**
 * @param {Instance} instance
 * @param {number} requests at least
 */
async function answer({ url }, requests) {
  for (let answered = 0; answered < requests;)
    answered += (await loading.load({ ...closedLoad(url, { seconds: STEP_SECONDS }), signal })).requests;
}

/**
 * @param {Instance} few
 * @param {Instance} many
 * @returns {Promise<number>} percent that a request costs the first more
 */
async function compare(few, many) {
  const observers = [few, many].map(({ pid }) => startWindow(pid, { clients: loading.groups }));
  const windows = await loading.interleave(
    [few, many].map(({ url }) => closedLoad(url, { seconds: 1 })),
    signal,
  );
  const costs = await Promise.all(
    observers.map(async (observer, place) => {
      const { cpu } = await observer.stop();
      return (cpu?.serverSeconds ?? Number.NaN) / (windows[place]?.requests ?? 0);
    }),
  );
  return 100 * ((costs[0] ?? 0) / (costs[1] ?? 0) - 1);
}
