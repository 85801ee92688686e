/**
 * Shows what a run costs beyond the seconds it planned (boot, warm-up and load of every trial).
 *
 *     node bench/overhead.js [RUNS]
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../scripts/cli.js', import.meta.url));
const OPTIONS = ['--servers', 'express,fastify', '--duration', '2s', '--warmup', '1s', '--rounds', '2'];

const out = await mkdtemp(join(tmpdir(), 'overhead-'));
const runs = Number(process.argv[2] ?? 3);
console.log('| wall s | planned s | ratio |\n| ---: | ---: | ---: |');
for (let index = 0; index < runs; index++) {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, [CLI, 'run', ...OPTIONS, '--out', out]);
  const wall = (performance.now() - startedAt) / 1000;
  const { cases } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  let planned = 0;
  for (const { load, trials } of cases) {
    for (const { bootMs } of trials) planned += bootMs / 1000 + load.warmupSeconds + load.durationSeconds;
  }
  console.log(`| ${wall.toFixed(1)} | ${planned.toFixed(1)} | ${(wall / planned).toFixed(3)} |`);
}
await rm(out, { recursive: true });
