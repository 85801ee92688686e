import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { prepare } from '../../scripts/boot/prepare.js';
import { toy } from './toys/toys.js';

const signal = new AbortController().signal;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'));
  writeFileSync(join(folder, 'source.txt'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {string} script @param {Partial<import('../../scripts/types.js').Server>} [changes] */
const building = (script, changes) => toy('built', { folder, build: ['sh', '-c', script], ...changes });

const COUNTED = 'mkdir -p dist && echo built >> dist/log';
const builds = () => readFileSync(join(folder, 'dist/log'), 'utf8').trim().split('\n').length;

test('a build is run once for the same files, and again for changed ones', async () => {
  await prepare(building(COUNTED), { signal });
  await prepare(building(COUNTED), { signal });
  assert.equal(builds(), 1);
  writeFileSync(join(folder, 'source.txt'), 'two');
  await prepare(building(COUNTED), { signal });
  assert.equal(builds(), 2);
});

test('a build that was thrown away is made anew', async () => {
  const server = building(`mkdir -p node_modules && ${COUNTED}`);
  await prepare(server, { signal });
  rmSync(join(folder, 'dist'), { recursive: true });
  await prepare(server, { signal });
  assert.equal(builds(), 1);
});

test('install comes before build', async () => {
  await prepare(building('cat made > copied', { install: ['sh', '-c', 'echo yes > made'] }), { signal });
  assert.equal(readFileSync(join(folder, 'copied'), 'utf8'), 'yes\n');
});

test('a failed build tells command, code and the last 20 lines', async () => {
  const failing = prepare(building('seq 30; exit 4'), { signal });
  await assert.rejects(failing, {
    kind: 'build-failed',
    message: '`sh -c seq 30; exit 4` ended with 4',
    logTail: Array.from({ length: 20 }, (_, index) => String(index + 11)),
  });
});

test('a failed install is told as such', async () => {
  await assert.rejects(prepare(building(COUNTED, { install: 'false' }), { signal }), {
    kind: 'install-failed',
  });
});

test('an abort ends the build', async () => {
  const controller = new AbortController();
  const preparing = prepare(building('sleep 60'), { signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(preparing, { kind: 'cancelled' });
});
