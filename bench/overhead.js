/**
 * Shows how near a plan's estimate comes to the time a run takes after its preparation, without and with an earlier run that
 * knows the start times.
 *
 *     node bench/overhead.js [RUNS]
 */

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../scripts/cli.js', import.meta.url));
const LOAD = ['--duration', '4s', '--warmup', '1s', '--rounds', '3', '--routes', '/'];
const PLANS = {
  'two servers and the reference': ['--servers', 'express,fastify'],
  'two sides of one server': ['--servers', 'fastify', '--against', 'self', '--reference', 'off'],
};

const runs = Number(process.argv[2] ?? 2);
console.log('| plan | estimated s | took s | ratio |\n| --- | ---: | ---: | ---: |');
for (const [name, options] of Object.entries(PLANS)) {
  const out = await mkdtemp(join(tmpdir(), 'overhead-'));
  const args = [...options, ...LOAD, '--out', out];
  for (let index = 0; index < runs; index++) {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'plan', ...args, '--json']);
    const { estimateSeconds } = JSON.parse(stdout);
    const took = await secondsOf(args);
    const cells = [estimateSeconds.toFixed(1), took.toFixed(1), (estimateSeconds / took).toFixed(3)];
    console.log(`| ${name}${index > 0 ? ', starts known' : ''} | ${cells.join(' | ')} |`);
  }
  await rm(out, { recursive: true });
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} from the last line about preparation to the last about a start
 */
async function secondsOf(args) {
  const child = spawn(process.execPath, [CLI, 'run', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let [from, to] = [0, 0];
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    if (text.includes('preparing ')) from = performance.now();
    if (text.includes('req/s')) to = performance.now();
  });
  await new Promise((resolve) => child.once('close', resolve));
  return (to - from) / 1000;
}
