import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { prepare, setUp } from '../../scripts/deploy/install/prepare.js';
import { readProcess } from '../../scripts/system/process/proc.js';
import { findProgram } from '../../scripts/system/process/find-program.js';
import { shortHash } from '../../scripts/deploy/source/worktrees.js';
import { toy } from './toys/toys.js';
import { scratchFolder } from '../scratch.js';

const signal = new AbortController().signal;
let buildDir = '';
let folder = '';

beforeEach(() => {
  buildDir = scratchFolder();
  folder = join(buildDir, 'tree');
  for (const name of ['tree', 'stamps']) mkdirSync(join(buildDir, name));
});

/**
 * @param {string} script
 * @param {Partial<import('../../scripts/types.js').Server>} [changes]
 */
const building = (script, changes) =>
  toy('built', { buildDir, folder, build: ['sh', '-c', script], ...changes });

const COUNTED = 'echo built >> log';
const lines = (name = 'log') => readFileSync(join(folder, name), 'utf8').trim().split('\n');

test('a build runs once, even for runs at the same time', async () => {
  await prepare(building(COUNTED), { signal });
  await prepare(building(COUNTED), { signal });
  await Promise.all([1, 2, 3].map(() => prepare(building('sleep 0.1; echo slowly >> log'), { signal })));
  assert.deepEqual(lines(), ['built', 'slowly']);
});

test('another command, variable or file of `copy` is another build', async () => {
  await prepare(building(COUNTED), { signal });
  for (const changes of [{ build: `true; ${COUNTED}` }, { env: { MODE: 'fast' } }])
    await prepare(building(COUNTED, changes), { signal });
  for (const text of ['A=1', 'A=1', 'A=2']) {
    writeFileSync(join(folder, '.env'), text);
    await prepare(building('cat .env >> log; echo >> log', { copy: ['.env'] }), { signal });
  }
  assert.deepEqual(lines(), ['built', 'built', 'built', 'A=1', 'A=2']);
});

test('servers with the same install command and folder share the installation', async () => {
  const install = 'echo installed >> installs';
  await prepare(building(COUNTED, { install }), { signal });
  await prepare(building('echo other >> log', { install, id: 'other', env: { A: '1' } }), { signal });
  assert.deepEqual([lines('installs'), lines()], [['installed'], ['built', 'other']]);
});

test('other packages are added after the locked installation, by the manager of the lock file', async () => {
  mkdirSync(join(folder, 'bin'));
  for (const manager of ['npm', 'pnpm']) {
    const script = `#!/bin/sh\necho "${manager} $*" >> installs\n`;
    writeFileSync(join(folder, 'bin', manager), script, { mode: 0o755 });
  }
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"fastify":"*"}}');
  const server = building(COUNTED, {
    install: 'echo locked >> installs',
    packages: { fastify: '5.2.0', '@fastify/cors': '10.0.0' },
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  });
  await prepare(server, { signal });
  writeFileSync(join(folder, 'pnpm-lock.yaml'), '');
  await prepare(server, { signal });
  assert.deepEqual(lines('installs'), [
    'locked',
    'npm install --save-exact --no-audit --no-fund fastify@5.2.0 @fastify/cors@10.0.0',
    'pnpm add --save-exact fastify@5.2.0 @fastify/cors@10.0.0',
  ]);
});

test('after another installation, a package under test takes its place again', async () => {
  const library = join(folder, 'library');
  mkdirSync(join(library, 'stamps'), { recursive: true });
  mkdirSync(join(library, 'tree'));
  writeFileSync(join(library, 'tree/package.json'), '{ "name": "lib", "version": "1.0.0" }');
  const installed = join(folder, 'node_modules/lib/package.json');
  for (const version of ['8.0.0', '9.0.0'])
    for (const _ of ['first', 'again']) {
      const place = 'node_modules/lib';
      const install = `mkdir -p ${place}; echo '{ "version": "${version}" }' > ${place}/package.json`;
      await prepare(
        building(COUNTED, {
          install,
          library: { buildDir: library, packages: [{ name: 'lib', folder: '' }] },
        }),
        { signal },
      );
      assert.equal(JSON.parse(readFileSync(installed, 'utf8')).version, '1.0.0');
    }
});

test('a failed install is tried again', async () => {
  const install = 'echo tried >> installs; test -e there';
  for (let n = 0; n < 2; n++) {
    await assert.rejects(prepare(building(COUNTED, { install }), { signal }), { kind: 'install-failed' });
  }
  writeFileSync(join(folder, 'there'), '');
  await prepare(building(COUNTED, { install }), { signal });
  assert.deepEqual([lines('installs').length, lines()], [3, ['built']]);
});

test('the build does not see NODE_ENV=production', async () => {
  const given = { NODE_ENV: 'production', MODE: 'fast' };
  const print = 'echo "${NODE_ENV-unset} $MODE" >> log';
  await prepare(building(print, { install: print, env: given }), { signal });
  assert.deepEqual(lines(), ['unset fast', 'unset fast']);
});

/** What a run holds that installs or builds there. @type {(cwd: string) => string} */
const lockOf = (cwd) => join(buildDir, `install-${shortHash(cwd)}.lock`);

test('a wait for another run ends with an abort', async () => {
  const { startTime } = readProcess(process.ppid) ?? {};
  symlinkSync(`${process.ppid} ${startTime}`, lockOf(folder));
  const controller = new AbortController();
  const options = { signal: controller.signal, onWait: () => controller.abort() };
  await assert.rejects(prepare(building(COUNTED), options), { kind: 'cancelled' });
});

test('a run that died leaves no lock', async () => {
  const { pid } = spawnSync('true');
  symlinkSync(`${pid} 1`, lockOf(folder));
  await prepare(building(COUNTED), { signal });
  assert.deepEqual(lines(), ['built']);
});

test('install comes before build, and both run in a shell', async () => {
  const changes = { install: 'NAME=made; echo yes > "$NAME"', build: 'cd . && cat m*e > copied || exit 9' };
  await prepare(building('', changes), { signal });
  assert.deepEqual(lines('copied'), ['yes']);
});

test('the error of a failed build has the command, the code and the last 20 lines', async () => {
  await assert.rejects(prepare(building('seq 30; exit 4'), { signal }), {
    kind: 'build-failed',
    message: "`sh -c 'seq 30; exit 4'` ended with 4",
    logTail: Array.from({ length: 20 }, (_, index) => String(index + 11)),
  });
});

test('a setup runs in the environment of the start, with the addresses of its services', async () => {
  const setup = 'echo "$NODE_ENV $DATABASE_URL" >> log';
  const server = building('', { setup, env: { NODE_ENV: 'production' } });
  await setUp(server, { signal, services: { DATABASE_URL: 'postgres://here' } });
  assert.deepEqual(lines(), ['production postgres://here']);
});

for (const [how, setup, expected] of /** @type {const} */ ([
  ['fails', 'echo no table; exit 3', /^`echo no table; exit 3` ended with 3$/],
  ['never ends', 'echo no table; sleep 60', /^`echo no table; sleep 60` did not end within 0.5 s$/],
]))
  test(`a setup that ${how} has a kind of its own, with what it printed`, async () => {
    const setting = setUp(building('', { setup }), { signal, services: {}, seconds: 0.5 });
    await assert.rejects(setting, { kind: 'setup-failed', message: expected, logTail: ['no table'] });
  });

test('an abort ends the setup', async () => {
  const setup = 'sleep 60';
  const setting = setUp(building('', { setup }), { signal: AbortSignal.timeout(100), services: {} });
  await assert.rejects(setting, { kind: 'cancelled' });
});

const skip = findProgram('composer', { env: process.env }) ? false : 'Composer is not installed';

for (const [needed, message] of /** @type {const} */ ([
  [{ 'psr/log': '*' }, /^`composer install .*` ended with \d+; Composer’s registry cannot be reached/],
  [{ 'ext-nosuch': '*' }, /; Root composer.json requires PHP extension ext-nosuch \* but it is missing/],
]))
  test(`a failed install of ${Object.keys(needed)} says what Composer lacks`, { skip }, async () => {
    const repositories = 'psr/log' in needed ? [] : [{ 'packagist.org': false }];
    writeFileSync(join(folder, 'composer.json'), JSON.stringify({ repositories, require: needed }));
    const homes = { COMPOSER_CACHE_DIR: join(buildDir, 'cache'), COMPOSER_HOME: buildDir };
    const env = { ...homes, COMPOSER_DISABLE_NETWORK: '1' };
    const install = 'composer install --no-dev --no-interaction';
    const server = building(COUNTED, { install, runtime: 'php', env });
    await assert.rejects(prepare(server, { signal }), { kind: 'install-failed', message });
  });

test('an abort ends the build', async () => {
  const controller = new AbortController();
  const preparing = prepare(building('sleep 60'), { signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(preparing, { kind: 'cancelled' });
});
