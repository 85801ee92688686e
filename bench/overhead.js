/**
 * Shows how near a plan's estimate comes to the time a run takes after its preparation, without and with an
 * earlier run that knows the start times, and how much of that time its windows take.
 *
 *     node bench/overhead.js [RUNS] [PLAN]    PLAN: of plans whose names begin so
 */

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sum } from 'd3-array';

const CLI = fileURLToPath(new URL('../scripts/cli.js', import.meta.url));
/** The first minute of a comparison. */
const MINUTE = [
  '--servers',
  'fastify',
  '--against',
  'self',
  '--budget',
  '60s',
  '--no-explain',
  '--routes',
  '/',
];
const FEW = ['--duration', '4s', '--warmup', '1s', '--rounds', '3', '--routes', '/'];
/** @type {Record<string, { options: string[], sides: string[] }>} sides: the folders of their run files */
const PLANS = {
  'two servers and the reference': { options: ['--servers', 'express,fastify', ...FEW], sides: ['.'] },
  'two sides of one server': {
    options: ['--servers', 'fastify', '--against', 'self', '--reference', 'off', ...FEW],
    sides: ['.', 'base'],
  },
  'two sides, as a comparison measures them': {
    options: ['--servers', 'fastify', '--against', 'self', '--rounds', '8', '--routes', '/'],
    sides: ['.', 'base'],
  },
  'a first minute, autocannon': { options: MINUTE, sides: ['.', 'base'] },
  'a first minute, wrk': { options: [...MINUTE, '--tool', 'wrk'], sides: ['.', 'base'] },
};

const runs = Number(process.argv[2] ?? 2);
console.log(
  '| plan | estimated s | took s | ratio | rounds | in windows |\n| --- | ---: | ---: | ---: | ---: | ---: |',
);
for (const [name, { options, sides }] of Object.entries(PLANS)) {
  if (!name.startsWith(process.argv[3] ?? '')) continue;
  const out = await mkdtemp(join(tmpdir(), 'overhead-'));
  const args = [...options, '--out', out];
  for (let index = 0; index < runs; index++) {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'plan', ...args, '--json']);
    const { estimateSeconds } = JSON.parse(stdout);
    const took = await secondsOf(args);
    const cases = await Promise.all(sides.map((side) => casesOf(join(out, side, 'run.json'))));
    const trials = cases.flat().flatMap((/** @type {any} */ measured) => measured.trials);
    const windows = trials.flatMap((/** @type {any} */ trial) => trial.windows);
    const share = sum(windows, (/** @type {any} */ window) => window.seconds) / took;
    const cells = [
      estimateSeconds.toFixed(1),
      took.toFixed(1),
      (estimateSeconds / took).toFixed(3),
      1 + Math.max(...trials.map((/** @type {any} */ { round }) => round)),
      `${Math.round(100 * share)} %`,
    ];
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

/**
 * @param {string} file a run file
 * @returns {Promise<any[]>}
 */
async function casesOf(file) {
  return JSON.parse(await readFile(file, 'utf8')).cases;
}
