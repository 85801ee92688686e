import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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

test('a file that was only touched is the very same file', async () => {
  await prepare(building(COUNTED), { signal });
  utimesSync(join(folder, 'source.txt'), 0, 0);
  await prepare(building(COUNTED), { signal });
  assert.equal(builds(), 1);
});

for (const path of ['src/bin/main.rs', 'bin/www.ts', 'vendor/library.go', 'src/build/step.ts']) {
  test(`${path} is a source in spite of its folder's name`, async () => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), 'one');
    await prepare(building(COUNTED), { signal });
    await prepare(building(COUNTED), { signal });
    assert.equal(builds(), 1);
    writeFileSync(join(folder, path), 'two');
    await prepare(building(COUNTED), { signal });
    assert.equal(builds(), 2);
  });
}

for (const name of ['bin', 'build', 'vendor']) {
  test(`a folder ${name} that the build made is no source`, async () => {
    const server = building(`${COUNTED} && mkdir -p ${name} && date +%N > ${name}/server`);
    await prepare(server, { signal });
    await prepare(server, { signal });
    assert.equal(builds(), 1);
    rmSync(join(folder, name), { recursive: true });
    await prepare(server, { signal });
    assert.equal(builds(), 2);
  });
}

test('a file that is called like a folder of builds does no harm', async () => {
  await prepare(building(`${COUNTED} && echo program > bin`), { signal });
  assert.equal(builds(), 1);
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

test('install and build are lines for the shell', async () => {
  const changes = { install: 'NAME=made; echo yes > "$NAME"', build: 'cd . && cat m*e > copied || exit 9' };
  await prepare(building('', changes), { signal });
  assert.equal(readFileSync(join(folder, 'copied'), 'utf8'), 'yes\n');
});

test('a failed build tells command, code and the last 20 lines', async () => {
  const failing = prepare(building('seq 30; exit 4'), { signal });
  await assert.rejects(failing, {
    kind: 'build-failed',
    message: "`sh -c 'seq 30; exit 4'` ended with 4",
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
