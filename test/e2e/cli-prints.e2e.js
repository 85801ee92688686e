/** Commands that only print, and the demo of scripts/bench. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, cli, folder } from './command-line.js';
import { ROOT, runTool } from './tools.js';

test('plan starts nothing and prints cases, order and estimate', async () => {
  const asked = '--servers express,fastify --routes / --rounds 2 --seed 1'.split(' ');
  const { code, stdout } = await cli('plan', ...asked);
  assert.equal(code, 0);
  assert.match(stdout, /3 cases, 6 starts, about \d+ s \(seed 1\)/);
  assert.match(stdout, /Rounds: 2 of about \d+ s, as set\n/);
  assert.match(stdout, /First round: /);
});

test('scripts/bench measures the demo where nothing else is named', async () => {
  const bench = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
    runTool([`${ROOT}scripts/bench`, ...args, '--relative-to', 'none'], { cwd });
  const own = mkdtempSync(join(folder, 'own-'));
  // Which servers would be measured is told with the mistake.
  const demo = /"none" is not measured; there are node-http, express, fastify, nest-express, nest-fastify$/m;
  assert.match((await bench(own, '--rounds', '2')).output, demo);
  assert.match((await bench(own, '--servers', 'express')).output, /there are node-http, express$/m);
  assert.match((await bench(own, '--preset=frameworks')).output, /--relative-to: server "none"/);
  writeFileSync(join(own, 'perf.yml'), 'servers: [fastify]\n');
  assert.match((await bench(own, '--connections', '5')).output, /there are node-http, fastify$/m);
});

test('list shows servers and presets, and doctor what is there and what is not', async () => {
  const listed = await cli('list');
  assert.match(listed.stdout, /\| fastify +\| Fastify/);
  assert.match(listed.stdout, /\| quick +\| How fast are Express, Fastify and Nest\? +\|/);
  assert.match(listed.stdout, /^- wrk can pipeline; use several threads; ask for a path /m);
  const bare = spawnSync(process.execPath, [CLI, 'list'], { encoding: 'utf8', env: { PATH: folder } });
  assert.match(bare.stdout, /^webman cannot be built here: composer is not installed: .*; php is not .*$/m);
  const examined = await cli('doctor');
  assert.equal(examined.code, 2);
  assert.match(examined.stdout, /✗ perf\.yml: there is no perf\.yml here; `perf-action init` writes one/);
  assert.match(examined.stdout, /✓ load tool autocannon/);
});
