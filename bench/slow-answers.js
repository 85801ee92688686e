/**
 * Shows that slow servers are measured right: the CPU time of an answer as a run reports it, against what the
 * server itself counts. Where the queue is longer than five seconds (connections times CPU), requests time
 * out, so only the report's sentence is checked.
 *
 *     node bench/slow-answers.js [--tool autocannon] [MS,MS...] [CONNECTIONS,CONNECTIONS...]
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sum } from 'd3-array';
import { perfAction } from './perf-action.js';

const SERVER = fileURLToPath(new URL('../test/deploy/toys/slow.js', import.meta.url));
const LONGEST_QUEUE_MS = 5000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tool: { type: 'string', default: 'autocannon' } },
});
const [spins = '0.05,0.5,2,7,25,100', connections = '1,10,100,1000'] = positionals;

const folder = await mkdtemp(join(tmpdir(), 'slow-answers-'));
console.log('| CPU | connections | counted | reported | difference | answers |');
console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
try {
  for (const spin of spins.split(',')) for (const many of connections.split(',')) await show(spin, many);
} finally {
  await rm(folder, { recursive: true });
}

/**
 * @param {string} spin milliseconds
 * @param {string} many connections
 */
async function show(spin, many) {
  const counted = join(folder, `${spin}-${many}.jsonl`);
  const start = JSON.stringify([process.execPath, SERVER, spin, '0', counted]);
  const config = `servers: [{ id: slow, start: ${start}, routes: [{ path: / }] }]\nreference: off\n`;
  await writeFile(join(folder, 'perf.yml'), config);
  const load = ['--tool', values.tool, '--connections', many, '--duration', '5s', '--rounds', '1'];
  // A run without a figure ends with 3, and leaves its reasons.
  await perfAction(folder, ['run', ...load, '--budget', '60s']).catch(() => {});
  const run = JSON.parse(await readFile(join(folder, 'perf-results/run.json'), 'utf8'));
  const [{ summary, trials }] = run.cases;
  const wait = run.warnings?.find((/** @type {{ code: string }} */ { code }) => code === 'long-queue');
  if (Number(spin) * Number(many) > LONGEST_QUEUE_MS) {
    const told = wait ? `says: ${many} connections wait ${wait.waitSeconds.toFixed(1)} s` : 'says nothing';
    console.log(`| ${spin} ms | ${many} | | ${told} | | ${summary?.requests ?? trials[0].failure?.kind} |`);
    return;
  }
  const lines = (await readFile(counted, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const own = sum(lines, ({ cpuUs }) => cpuUs) / sum(lines, ({ answers }) => answers);
  const reported = summary?.cpuPerRequestUs ?? Number.NaN;
  const percent = (100 * (reported / own - 1)).toFixed(1);
  const [a, b] = [own, reported].map((us) => `${us.toFixed(0)} µs`);
  console.log(`| ${spin} ms | ${many} | ${a} | ${b} | ${percent} % | ${summary?.requests} |`);
}
