/**
 * How far starts of one unchanged server differ: four run together, loaded in slices of 50 ms, first as the
 * engine starts them, then without the module that it preloads (`deploy/runtimes/node-preload.cjs`).
 *
 *     node bench/preload.js [GROUPS] [SERVER]
 */

import { startServer } from '../scripts/deploy/start/start-server.js';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startLoading } from '../scripts/load/load.js';
import { startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const ALIVE = 4;
const WARM_UPS = 3;
const SECONDS = 2;

const groups = Number(process.argv[2] ?? 6);
const server = builtIn(process.argv[3] ?? 'fastify');
const { signal } = new AbortController();
const loading = startLoading();

await prepare(server, { signal });
console.log(
  '| started | CPU per request of each start, beside the cheapest of its group | more than 10 % above it |',
);
console.log('| --- | --- | ---: |');
for (const [name, started] of /** @type {const} */ ([
  ['as the engine does', server],
  ['with its own code alone', { ...server, runtime: 'none' }],
])) {
  /** @type {number[]} */
  const above = [];
  for (let group = 0; group < groups; group++) {
    const costs = await measureGroup(started);
    const least = Math.min(...costs);
    above.push(...costs.map((cost) => cost / least - 1));
  }
  const shares = above.map((share) => `+${Math.round(100 * share)}`).join(' ');
  console.log(
    `| ${name} | ${shares} % | ${above.filter((share) => share > 0.1).length} of ${above.length} |`,
  );
}
await loading.stop();

/**
 * @param {typeof server} started
 * @returns {Promise<number[]>} CPU seconds per request of each
 */
async function measureGroup(started) {
  const instances = await Promise.all(Array.from({ length: ALIVE }, () => startServer(started, { signal })));
  const targets = instances.map(({ url }) => closedLoad(url, { seconds: SECONDS }));
  try {
    for (let warm = 0; warm < WARM_UPS; warm++) await loading.interleave(targets, signal);
    const observers = instances.map(({ pid }) => startWindow(pid, { clients: loading.groups }));
    const loaded = await loading.interleave(targets, signal);
    return await Promise.all(
      loaded.map(async ({ requests }, place) => {
        const { cpu } = (await observers[place]?.stop()) ?? {};
        return (cpu?.serverSeconds ?? 0) / requests;
      }),
    );
  } finally {
    await Promise.all(instances.map(({ stop }) => stop()));
  }
}
