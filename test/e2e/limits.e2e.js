/**
 * Limits: a real server that waits before each answer passes a limit above its delay, and fails one below it.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALONE, cli, folder } from './command-line.js';

const DELAY_MS = 30;
const SERVER = `const answer = (_, response) => setTimeout(() => response.end('ok'), ${DELAY_MS});
require('node:http').createServer(answer).listen(process.env.PORT, process.env.HOST);
`;

mkdirSync(join(folder, 'slow'));
writeFileSync(join(folder, 'slow/server.js'), SERVER);
writeFileSync(join(folder, 'slow/server.yml'), 'start: [node, server.js]\nroutes: [{ path: / }]\n');

/**
 * @param {string} limits
 * @param {string[]} options
 */
const run = async (limits, ...options) => {
  writeFileSync(
    join(folder, 'perf.yml'),
    `servers: [./slow]\nload: { connections: 10, rate: 100 }\nlimits: ${limits}\n`,
  );
  const times = ['--duration', '1s', '--warmup', '0', '--rounds', '3'];
  const { code, stdout, stderr } = await cli('run', ...ALONE, ...times, ...options);
  const { limits: judged } = JSON.parse(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'));
  return { code, stdout, stderr, judged };
};

test('a limit far above the delay passes without a baseline', async () => {
  const { code, stdout, stderr, judged } = await run('{ p99: 2s, errors: 0%, at: 100/s }');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^🟢 Within all limits$/m);
  assert.match(
    stdout,
    /^✓ slow: p99 latency at 100 req\/s [\d.,]+ ms \([\d.,]+ ms to [\d.,]+ ms\), limit at most 2,000 ms: passes$/m,
  );
  assert.match(stdout, /^Limits are judged on this machine, \d+ cores? of .+\.$/m);
  assert.deepEqual(
    judged.map((/** @type {any} */ { verdict }) => verdict),
    ['passes', 'passes'],
  );
});

test('a limit below the delay fails and closes the gate', async () => {
  const { code, stdout, judged } = await run('{ p50: 3ms, at: 100/s }');
  assert.equal(code, 1, stdout);
  assert.match(stdout, /^🔴 Beyond a limit: slow$/m);
  assert.equal(judged[0].verdict, 'fails');
  assert.ok(judged[0].value >= DELAY_MS - 1);
});

test('a server at 90 % of its limit does not fail', async () => {
  const { code, stdout } = await run(`{ p50: ${Math.round(DELAY_MS / 0.9)}ms, at: 100/s }`);
  assert.equal(code, 0, stdout);
});

test('a side-by-side run judges the limits of the head too', async () => {
  const { code, stdout, judged } = await run('{ p50: 3ms, at: 100/s }', '--against', 'self');
  assert.equal(code, 1, stdout);
  assert.equal(judged.length, 1);
  assert.match(stdout, /^🔴 Beyond a limit: slow\. \S/m);
});
