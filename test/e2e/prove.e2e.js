/** `prove`: planted work is found in a real server, and what cannot be proved gets one line. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALONE, cli, folder } from './command-line.js';

const CASE = ['--servers', 'node-http', '--routes', '/'];

test('half as much CPU again is found, and the last results stay', async () => {
  const measured = await cli('run', ...CASE, ...ALONE, '--duration', '1s', '--warmup', '0', '--rounds', '1');
  assert.equal(measured.code, 0, measured.stderr);
  const results = readFileSync(join(folder, 'perf-results/run.json'), 'utf8');
  const { code, stdout, stderr } = await cli('prove', ...CASE, '--by', '50%', '--budget', '60s');
  assert.equal(code, 0, stdout + stderr);
  assert.match(
    stdout,
    /^Planted into one side of node-http \/ .*: 50\.0 % more CPU per request \([\d.]+ µs\)\.$/m,
  );
  assert.match(stdout, /Found after \d+ s: CPU per request \+[3-7]\d\.\d % \(/);
  assert.match(stdout, /a slowdown is found after: /);
  assert.equal(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'), results);
  assert.ok(existsSync(join(folder, 'perf-results/prove/report.html')));
});

test('a share that is none, and a server that does not run on Node, get one line each', async () => {
  const share = await cli('prove', ...CASE, '--by', '200%');
  assert.deepEqual([share.code, share.stdout], [2, '']);
  assert.match(share.stderr, /^perf-action: --by: "200%" is not a valid percentage; .*\n$/);
  const java = await cli('prove', '--servers', 'spring-tomcat', '--routes', '/');
  assert.deepEqual([java.code, java.stdout], [2, '']);
  assert.match(java.stderr, /^perf-action: prove: .*spring-tomcat runs on java; .*\n$/);
});
