/**
 * Shows that a run's figures are the bare tool's own: interleaved pairs of a run and the bare tool on the
 * same server.
 *
 *     node bench/tools-agree.js [PAIRS]
 */

import { median } from 'd3-array';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from '../scripts/deploy/start/start-server.js';
import { readServer } from '../scripts/catalog/catalog.js';
import { thisProcess } from '../scripts/system/this-project.js';
import { perfAction } from './perf-action.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SECONDS = 5;
const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

/**
 * The bare commands, and how a person reads requests a second off them.
 * @type {Record<string, [(url: string) => string[], (text: string) => number]>}
 */
const BARE = {
  wrk: [
    (url) => ['wrk', '-t1', '-c64', `-d${SECONDS}s`, url],
    (text) => Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1]),
  ],
  autocannon: [
    (url) => [process.execPath, AUTOCANNON, '-j', '-c', '64', '-d', String(SECONDS), url],
    (text) => JSON.parse(text).requests.average,
  ],
  ab: [
    (url) => ['ab', '-q', '-k', '-c', '64', '-t', String(SECONDS), '-n', '2000000', url],
    (text) => Number(/Requests per second: +([\d.]+)/.exec(text)?.[1]),
  ],
};

const pairs = Number(process.argv[2] ?? 5);
const server = readServer(join(ROOT, 'servers/node-http'), thisProcess());
const out = await mkdtemp(join(tmpdir(), 'tools-agree-'));

console.log(`| tool | run, median req/s | bare, median req/s | ratio |\n| --- | ---: | ---: | ---: |`);
for (const tool of Object.keys(BARE)) {
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const bare = [];
  for (let pair = 0; pair < pairs; pair++) {
    const both = [
      async () => ours.push(await measureOurs(tool)),
      async () => bare.push(await measureBare(tool)),
    ];
    if (pair % 2 === 1) both.reverse();
    for (const measure of both) await measure();
  }
  const [a, b] = [median(ours) ?? Number.NaN, median(bare) ?? Number.NaN];
  console.log(`| ${tool} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(a / b).toFixed(3)} |`);
}
await rm(out, { recursive: true });

/** @param {string} tool */
async function measureOurs(tool) {
  const load = `--tool ${tool} --connections 64 --duration ${SECONDS}s --rounds 1`.split(' ');
  await perfAction(process.cwd(), ['run', '--servers', server.id, ...load, '--out', out]);
  const run = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  return run.cases[0].summary.throughput;
}

/** A separate start with the same warm-up, as in a run. @param {string} tool */
async function measureBare(tool) {
  const [command, read] = /** @type {(typeof BARE)[string]} */ (BARE[tool]);
  const instance = await startServer(server, { signal: new AbortController().signal });
  try {
    const [file = '', ...args] = command(`${instance.url}/`);
    const warmup = args.map((arg) => arg.replace(new RegExp(`^(-d)?${SECONDS}(s?)$`), '$12$2'));
    await promisify(execFile)(file, warmup);
    const { stdout } = await promisify(execFile)(file, args);
    return read(stdout);
  } finally {
    await instance.stop();
  }
}
