/**
 * One user's Express app behind nginx, over HTTPS, at a fixed rate and as instances; and what dies there
 * under load.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listPids } from '../../scripts/system/process/proc.js';
import { until } from '../../bench/provoke.js';
import { ROOT } from './tools.js';
import { scratchFolder } from '../scratch.js';

const scratch = scratchFolder();

/**
 * Everything of the run has its folder for temporary files in its environment.
 * @param {string} cwd
 * @param {string[]} args
 * @param {(temporary: string) => Promise<void>} [meanwhile]
 */
async function run(cwd, args, meanwhile = async () => {}) {
  const temporary = mkdtempSync(join(scratch, 'tmp-'));
  // What is brought is kept from one run of the tests to the next.
  const env = { ...process.env, TMPDIR: temporary, XDG_CACHE_HOME: join(ROOT, '.cache') };
  const command = [join(ROOT, 'scripts/cli.js'), 'run', ...args];
  const ended = new Promise((resolve) => {
    execFile(process.execPath, command, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
  await meanwhile(temporary);
  const { code, output } = /** @type {{ code: number, output: string }} */ (await ended);
  assert.deepEqual(ofRun(temporary), [], output);
  return { code, output };
}

/**
 * @param {string} temporary
 * @returns {{ pid: number, environment: string, line: string }[]} processes that were started with it
 */
function ofRun(temporary) {
  return listPids().flatMap((pid) => {
    const [environment, line] = ['environ', 'cmdline'].map((file) => read(`/proc/${pid}/${file}`));
    return `${environment}${line}`.includes(temporary)
      ? [{ pid, environment: environment ?? '', line: line ?? '' }]
      : [];
  });
}

/** @param {string} file of a process, which may have ended */
function read(file) {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** @param {string} folder */
const runIn = (folder) => JSON.parse(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'));

test('an Express app is compared with its base behind nginx, over HTTPS, at a rate, as two instances', async () => {
  const app = join(scratch, 'app');
  cpSync(join(ROOT, 'servers/express'), app, {
    recursive: true,
    filter: (file) => !/node_modules|server\.yml/.test(file),
  });
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: app });
  writeFileSync(
    join(app, 'perf.yml'),
    `servers:
  - id: app
    install: npm ci --prefer-offline --no-audit --no-fund
    start: node server.js
    routes: [{ path: /json, expect: { json: { hello: world } } }]
reference: off
load: { connections: 8, rate: 1000, duration: 1s, warmup: 0s }
proxy: [nginx, https]
include:
  - { proxy: direct, rate: 200 }
  - { proxy: direct, instances: 2 }
`,
  );
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  writeFileSync(join(app, 'server.js'), `${readFileSync(join(app, 'server.js'), 'utf8')}// one more line\n`);
  git('commit', '--quiet', '--all', '--message', 'head');
  const { code, output } = await run(app, ['--against', 'HEAD~1', '--rounds', '1', '--fail-on', 'never']);
  assert.equal(code, 0, output);
  const comparison = JSON.parse(readFileSync(join(app, 'perf-results/comparison.json'), 'utf8'));
  const differing = comparison.cases.map((/** @type {{ id: string }} */ { id }) =>
    id.replace('app /json autocannon c8 ', ''),
  );
  assert.deepEqual(differing.sort(), ['r1000 https', 'r1000 i2', 'r1000 nginx', 'r200']);
  for (const { id, verdict } of comparison.cases)
    assert.match(verdict, /^(same|unsure|improved|regressed)$/, `${id}: ${verdict}`);
  const { cases, environment } = runIn(app);
  assert.match(environment.tools.nginx, /^\d+\.\d+/);
  for (const { id, load, instances, proxy, trials } of cases) {
    for (const key of ['instances', 'manager', 'proxy']) assert.ok(!(key in load), key);
    assert.deepEqual([instances, proxy], [id.includes(' i2') ? 2 : 1, /https|nginx/.exec(id)?.[0]]);
    for (const { failure, windows } of trials) {
      assert.equal(failure, null);
      for (const { cpu, instanceSeconds, requests, errors } of windows) {
        assert.ok(requests > 0);
        assert.equal(errors.non2xx, 0);
        assert.equal(cpu.proxySeconds > 0, proxy === 'nginx');
        assert.equal(instanceSeconds?.length, instances === 2 ? 2 : undefined);
      }
    }
  }
});

const HELLO = `require('http').createServer((_, response) => response.end('hello')).listen(process.env.PORT, process.env.HOST);`;

/**
 * @param {string} name
 * @param {string} settings
 */
function hello(name, settings) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'hello.js'), HELLO);
  const server = 'servers: [{ id: hello, start: node hello.js, routes: [{ path: / }] }]';
  const load =
    'load: { connections: 4, rate: 100, duration: 3s, warmup: 0s }\nreference: off\nrounds: 1\nmaxRunning: 1\nseed: 1';
  writeFileSync(join(folder, 'perf.yml'), `${server}\n${load}\n${settings}\n`);
  return folder;
}

/**
 * @param {string} temporary
 * @param {(found: { environment: string, line: string }) => boolean} isIt
 */
async function killUnderLoad(temporary, isIt) {
  const find = (/** @type {typeof isIt} */ isWanted) => ofRun(temporary).find(isWanted)?.pid;
  // The load tool starts with the first window, which is that of the case that is to fail.
  await until(() => find(({ line }) => line.includes('autocannon-driver')) !== undefined, 'the load');
  await sleep(500);
  process.kill(find(isIt) ?? assert.fail('it has ended'), 'SIGKILL');
}

for (const [what, settings, isIt, failing, message] of /** @type {const} */ ([
  [
    'nginx',
    'proxy: [nginx, direct]',
    (/** @type {{ line: string }} */ { line }) => line.includes('nginx: master'),
    'nginx',
    /^nginx, before the server, ended with SIGKILL/,
  ],
  [
    'pm2',
    'manager: [pm2, cluster]',
    (/** @type {{ environment: string, line: string }} */ { environment, line }) =>
      environment.includes('PERF_ACTION_PRIMARY=') &&
      environment.includes('/pm2') &&
      /^node hello/.test(line),
    'pm2',
    /^the server ended with SIGKILL/,
  ],
]))
  test(`${what} that is killed under load fails its case, the rest goes on, and nothing is left`, async () => {
    const folder = hello(what, settings);
    const { code, output } = await run(folder, [], (temporary) => killUnderLoad(temporary, isIt));
    assert.equal(code, 3, output);
    const { cases } = runIn(folder);
    assert.equal(cases.length, 2);
    for (const { id, trials } of cases) {
      const [{ failure, windows }] = trials;
      if (id.endsWith(failing)) {
        assert.equal(failure?.kind, 'died-under-load', JSON.stringify(failure));
        assert.match(failure.message, message);
      } else assert.ok(failure === null && windows[0].requests > 0, JSON.stringify(failure));
    }
  });
