/**
 * Slow servers are measured right: the CPU time of an answer is what the server itself counts, whatever an
 * answer takes, with each load tool, plain and compared. Nothing is asserted of how fast a machine is.
 */

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { versionOf } from '../../../scripts/load/load.js';
import { findTool } from '../../../scripts/load/tools.js';
import { cli, folder } from '../command-line.js';
import { gitIn } from '../tools.js';

const TOY = fileURLToPath(new URL('../../deploy/toys/slow.js', import.meta.url));
const COUNTED = join(folder, 'counted.jsonl');
/** Of the CPU time that the server counts for an answer. */
const ALLOWED = 0.25;
const MISSING = await lacking(['autocannon', 'wrk', 'k6']);

/** Those that are not installed. @type {(tools: string[]) => Promise<string[]>} */
async function lacking(tools) {
  const versions = await Promise.all(tools.map((tool) => versionOf(findTool(tool))));
  return tools.filter((_, place) => versions[place] === undefined);
}

/** @type {(tool: string, connections: number, more?: string[]) => string[]} */
const options = (tool, connections, more = []) => [
  'run',
  `--tool=${tool}`,
  `--connections=${connections}`,
  '--reference=off',
  ...more,
];

/** @type {(spinMs: number, waitMs: number) => void} */
function write(spinMs, waitMs) {
  const start = JSON.stringify(['node', TOY, String(spinMs), String(waitMs), COUNTED]);
  writeFileSync(
    join(folder, 'perf.yml'),
    `servers: [{ id: slow, start: ${start}, routes: [{ path: / }] }]\n`,
  );
  rmSync(COUNTED, { force: true });
}

/** @returns {number} microseconds of CPU for an answer, as the server counted them */
function countedUs() {
  const lines = readFileSync(COUNTED, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const total = (/** @type {string} */ key) => lines.reduce((sum, line) => sum + line[key], 0);
  return total('cpuUs') / total('answers');
}

/** @param {string} [side] */
function readRun(side = '') {
  return JSON.parse(readFileSync(join(folder, 'perf-results', side, 'run.json'), 'utf8'));
}

/** @param {any} run */
function assertCounted(run) {
  const [{ summary, trials }] = run.cases;
  const failures = trials.flatMap((/** @type {any} */ { failure }) => failure ?? []);
  assert.deepEqual(failures, []);
  const counted = countedUs();
  const share = summary.cpuPerRequestUs / counted - 1;
  assert.ok(Math.abs(share) < ALLOWED, `${summary.cpuPerRequestUs} µs reported, ${counted} µs counted`);
}

/**
 * A machine that is busy may answer half as fast; queues stay below the ten seconds of autocannon.
 * @type {[tool: string, spinMs: number, waitMs: number, connections: number][]}
 */
const PLAIN = ['autocannon', 'wrk', 'k6'].flatMap((tool) => [
  [tool, 7, 0, 100],
  [tool, 2, 0, 100],
  [tool, 25, 0, 100],
  [tool, 100, 0, 20],
  [tool, 0, 200, 100],
]);

for (const [tool, spinMs, waitMs, connections] of PLAIN) {
  const skip = MISSING.includes(tool) && `${tool} is not installed`;
  test(`${tool}, ${spinMs} ms of CPU after ${waitMs} ms, ${connections} connections`, { skip }, async () => {
    write(spinMs, waitMs);
    const more = ['--rounds', '1', '--warmup', '1s', '--duration', '3s'];
    const { code, stderr, stdout } = await cli(...options(tool, connections, more));
    assert.equal(code, 0, stderr + stdout);
    assertCounted(readRun());
    // One told sentence, and only where fewer connections do as well.
    const told = stdout.match(/connections wait [\d.]+ s for an answer/g) ?? [];
    if (waitMs > 0) assert.deepEqual(told, []);
    if (spinMs >= 7) assert.equal(told.length, 1, stdout);
  });
}

test('plan repeats what the first run showed of the queue', async () => {
  write(25, 0);
  const more = ['--rounds', '1', '--warmup', '0s', '--duration', '1s'];
  assert.equal((await cli(...options('autocannon', 32, more))).code, 0);
  const { stdout } = await cli('plan', ...options('autocannon', 32, more).slice(1));
  assert.match(stdout, /32 connections wait [\d.]+ s for an answer; with `connections: 8` the throughput/);
});

/** @param {[spinMs: number, waitMs: number][]} commits two */
async function commit(commits) {
  const git = gitIn(folder);
  await git('init', '--quiet');
  for (const [place, [spinMs, waitMs]] of commits.entries()) {
    write(spinMs, waitMs);
    writeFileSync(join(folder, 'changed.js'), `// ${place}`);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', `${spinMs} ms, ${waitMs} ms`);
  }
}

test('both sides of a comparison have the figures of a plain window', async () => {
  await commit([
    [25, 0],
    [25, 0],
  ]);
  const more = ['--against', 'HEAD~1', '--rounds', '1', '--warmup', '0', '--duration', '1s'];
  const { code, stderr } = await cli(...options('autocannon', 16, more));
  assert.equal(code, 0, stderr);
  for (const run of [readRun('base'), readRun()]) assertCounted(run);
  assert.deepEqual(
    readRun('base').cases[0].trials[0].windows.length,
    readRun().cases[0].trials[0].windows.length,
  );
});

/**
 * An answer of base and head: milliseconds of CPU, and of waiting.
 * @type {[tool: string, base: [number, number], head: [number, number], connections: number, verdict:
 *   string][]}
 */
const COMPARED = [
  ['autocannon', [7, 0], [1000, 0], 4, 'regressed'],
  ['autocannon', [7, 0], [3000, 0], 8, 'regressed'],
  ['autocannon', [7, 0], [6000, 0], 4, 'regressed'],
  ['wrk', [7, 0], [3000, 0], 8, 'regressed'],
  ['autocannon', [7, 0], [0, 3000], 8, 'regressed'],
  ['wrk', [7, 0], [0, 3000], 8, 'regressed'],
  ['autocannon', [3000, 0], [7, 0], 8, 'improved'],
];

for (const [tool, base, head, connections, verdict] of COMPARED) {
  const skip = MISSING.includes(tool) && `${tool} is not installed`;
  const name = [base, head].map(([spinMs, waitMs]) =>
    spinMs > 0 ? `${spinMs} ms` : `a wait of ${waitMs} ms`,
  );
  test(
    `${tool}, ${connections} connections: from ${name.join(' to ')} an answer is ${verdict}`,
    { skip },
    async () => {
      await commit([base, head]);
      const more = ['--against', 'HEAD~1', '--budget', '60s', '--no-explain'];
      const { code, stderr, stdout } = await cli(...options(tool, connections, more));
      const comparison = JSON.parse(readFileSync(join(folder, 'perf-results/comparison.json'), 'utf8'));
      assert.equal(comparison.verdict, verdict, stderr + stdout);
      assert.equal(code, verdict === 'regressed' ? 1 : 0, stderr + stdout);
    },
  );
}
