/**
 * Shows how far bytes per request scatter over fresh starts of built-in Node servers, quiet or with a program
 * on each core, and what one percent more of them looks like: every other start allocates so many in vain.
 *
 *     node bench/counts.js [--only SERVER] [--starts 20] [--beside] [--plant 1]    plant: percent
 */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deviation, mean } from 'd3-array';
import { markdownTable } from 'markdown-table';
import { prepare } from '../scripts/deploy/install/prepare.js';
import { startServer } from '../scripts/deploy/start/start-server.js';
import { startLoading } from '../scripts/load/load.js';
import { enter, startWindow } from '../scripts/observe/observe.js';
import { builtIn, closedLoad } from './one-server.js';

const SERVERS = ['node-http', 'express', 'fastify', 'nest-express', 'nest-fastify'];
const WINDOWS = 3;
/** Bytes of an array that holds nothing: its two heads, and of each slot. */
const [HEAD, SLOT] = [48, 8];
const BUSY = 'for (;;);';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    starts: { type: 'string', default: '20' },
    beside: { type: 'boolean', default: false },
    plant: { type: 'string', default: '0' },
  },
});
const { signal } = new AbortController();
const folder = await mkdtemp(join(tmpdir(), 'counts-'));
const busy = values.beside
  ? Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', BUSY]))
  : [];
const loading = startLoading();
const rows = [];
try {
  for (const id of SERVERS.filter((each) => (values.only ?? each) === each)) {
    const server = builtIn(id);
    await prepare(server, { signal });
    const [first] = await bytesOf(server);
    /** @type {number[][][]} starts without and with what is planted */
    const starts = [[], []];
    for (let start = 0; start < Number(values.starts); start++) {
      const more = start % 2 === 1 ? (Number(values.plant) / 100) * (first ?? 0) : 0;
      starts[more > 0 ? 1 : 0]?.push(await bytesOf(more > 0 ? planted(server, more) : server));
    }
    const [own = [], changed = []] = starts.map((those) => those.map((windows) => mean(windows) ?? 0));
    const within = starts.flat().map((windows) => percent(deviation(windows), mean(windows)));
    rows.push([
      id,
      String(own.length),
      (mean(own) ?? 0).toFixed(0),
      percent(deviation(own), mean(own)).toFixed(2),
      (mean(within) ?? 0).toFixed(2),
      changed.length > 0 ? percent((mean(changed) ?? 0) - (mean(own) ?? 0), mean(own)).toFixed(2) : '',
    ]);
  }
} finally {
  await loading.stop();
  for (const process of busy) process.kill();
  await rm(folder, { recursive: true });
}
const heads = ['server', 'starts', 'B/request', '% between starts', '% within one', 'planted: + %'];
console.log(markdownTable([heads, ...rows], { align: ['l', 'r', 'r', 'r', 'r', 'r'] }));

/**
 * @param {import('../scripts/types.js').Server} server
 * @returns {Promise<number[]>} bytes per request of each window of a fresh start, after a warm-up
 */
async function bytesOf(server) {
  const inside = await enter('node');
  const instance = await startServer(server, { signal, inside });
  try {
    const load = () => loading.load({ ...closedLoad(instance.url, { seconds: 1 }), signal });
    for (let answered = 0; answered < 15_000;) answered += (await load()).requests;
    const bytes = [];
    for (let window = 0; window < WINDOWS; window++) {
      const observed = startWindow(instance.pid, { runtime: 'node', inside });
      const { requests } = await load();
      bytes.push(((await observed.stop()).allocatedBytes ?? Number.NaN) / requests);
    }
    return bytes;
  } finally {
    await instance.stop();
    for (const observer of inside) await observer.stop();
  }
}

/**
 * @param {import('../scripts/types.js').Server} server
 * @param {number} bytes that each of its requests allocates in vain
 */
function planted(server, bytes) {
  const file = join(folder, 'plant.cjs');
  writeFileSync(
    file,
    `const { Server } = require('node:http');
const { emit } = Server.prototype;
Server.prototype.emit = function (event, first, second) {
  if (event === 'request') globalThis.kept = new Array(${Math.round((bytes - HEAD) / SLOT)});
  return emit.call(this, event, first, second);
};`,
  );
  return { ...server, env: { ...server.env, NODE_OPTIONS: `--require ${file}` } };
}

/** @type {(part?: number, whole?: number) => number} */
function percent(part = Number.NaN, whole = Number.NaN) {
  return (100 * part) / whole;
}
