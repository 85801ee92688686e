/** Scripts of the load tools: journeys of several steps, and Locust's workers. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

/**
 * It answers orders only to those who have logged in, and notes its first. 50 ms an answer: journeys need no
 * full load.
 */
const SHOP = `
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
let first = true;
createServer((request, response) => {
  const answer = (status, body) => {
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
    setTimeout(() => response.end(text), 50);
  };
  request.resume();
  if (request.url === '/') return answer(200, {});
  if (request.url === '/login') return answer(200, { token: 'secret' });
  if (request.url !== '/orders' || request.headers.authorization !== 'Bearer secret') return answer(401, {});
  if (first) writeFileSync('loaded', '');
  first = false;
  answer(200, [1, 2]);
}).listen(process.env.PORT, process.env.HOST);
`;
const shop = scratchFolder();
before(() => {
  writeFileSync(join(shop, 'server.cjs'), SHOP);
});

/**
 * @param {string} load as perf.yml has it
 * @param {string} [script] copied beside it
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, run: any, report: string }>}
 */
async function measure(load, script) {
  if (script !== undefined)
    writeFileSync(join(shop, script), readFileSync(join(ROOT, 'docs/recipes', script), 'utf8'));
  writeFileSync(
    join(shop, 'perf.yml'),
    `servers: [{ id: shop, start: node server.cjs, routes: [{ path: / }] }]\nreference: off\nrounds: 1\nload: ${load}\n`,
  );
  const args = [join(ROOT, 'scripts/cli.js'), 'run'];
  const child = spawn(process.execPath, args, { cwd: shop, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of /** @type {const} */ (['stdout', 'stderr']))
    child[stream].setEncoding('utf8').on('data', (text) => (said[stream] += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const file = join(shop, 'perf-results/run.json');
  const run = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const page = join(shop, 'perf-results/report.md');
  const report = existsSync(page) ? readFileSync(page, 'utf8') : '';
  rmSync(join(shop, 'perf-results'), { recursive: true, force: true });
  return { code, ...said, run, report };
}

test('Locust makes a journey that logs in first, by two processes', async () => {
  const { code, stdout, stderr, run, report } = await measure(
    '{ tool: locust, script: journey.py, processes: 2, connections: 4, warmup: 0s, duration: 3s, windows: 1 }',
    'journey.py',
  );
  assert.equal(code, 0, stderr);
  const [{ id, summary, trials }] = run.cases;
  assert.equal(id, 'shop locust c4 processes2 journey.py');
  assert.ok(summary.requests > 0, JSON.stringify(summary));
  assert.equal(summary.errors.failed, 0);
  assert.ok(trials[0].windows[0].peakRequestsPerSecond > 0);
  assert.match(stdout, /locust, 4 connections, 2 client processes, journey\.py \(closed loop\)/);
  assert.match(report, /\| Peak req\/s \|/);
});

test('Locust: an error in a script is reported in Locust’s words, before anything is started', async () => {
  writeFileSync(join(shop, 'broken.py'), 'class (\n');
  const { code, stderr, run } = await measure('{ tool: locust, script: broken.py }');
  assert.equal(code, 2);
  assert.match(stderr, /^perf-action: broken\.py: locust cannot run it: .*SyntaxError/);
  assert.equal(run, undefined);
});

test('Locust: workers join their master; where one is killed under load, the others go on', async () => {
  /** @type {import('node:child_process').ChildProcess[]} */
  const workers = [];
  const args = ['--worker', '-f', '-', '--master-host', '127.0.0.1'];
  for (let place = 0; place < 3; place++) {
    // Each worker writes the master's script to one name in this folder: in a shared one, another reads it
    // half written.
    const TMPDIR = mkdtempSync(join(shop, 'worker-'));
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR };
    workers.push(spawn('locust', args, { env, stdio: 'ignore' }));
  }
  const loaded = join(shop, 'loaded');
  rmSync(loaded, { force: true });
  try {
    const measuring = measure(
      '{ tool: locust, script: journey.py, workers: 3, connections: 6, warmup: 0s, duration: 12s, windows: 1 }',
      'journey.py',
    );
    for (let tries = 0; tries < 600 && !existsSync(loaded); tries++) await sleep(100);
    workers[0]?.kill('SIGKILL');
    const { code, stdout, stderr, run } = await measuring;
    assert.equal(code, 0, stderr);
    const [window] = run.cases[0].trials[0].windows;
    assert.equal(window.workersLost, 1);
    assert.ok(window.requests > 0);
    assert.match(stdout, /1 of 3 workers of the load tool disconnected early; the others finished/);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
  }
});

/** k6 takes minutes to build: it is tested where it is, and in the whole of the tests. */
const hasK6 = process.env.PERF_TEST_ALL || spawnSync('k6', ['version']).error === undefined;

test('k6: a journey with its checks; a threshold that is crossed is reported', { skip: !hasK6 }, async () => {
  const load = '{ tool: k6, script: journey.js, connections: 4, warmup: 0s, duration: 2s, windows: 1 }';
  const { code, stdout, stderr, run } = await measure(load, 'journey.js');
  assert.equal(code, 0, stderr);
  const [{ id, summary }] = run.cases;
  assert.equal(id, 'shop k6 c4 journey.js');
  assert.ok(summary.requests > 0, JSON.stringify(summary));
  assert.deepEqual([summary.errors.failed, summary.errors.checks], [0, 0]);
  assert.doesNotMatch(stdout, /crossed/);
  const strict = readFileSync(join(shop, 'journey.js'), 'utf8').replace(
    'thresholds: {',
    "thresholds: { http_req_duration: ['p(95)<0.001'],",
  );
  writeFileSync(join(shop, 'strict.js'), strict);
  const second = await measure(load.replace('journey.js', 'strict.js'));
  assert.match(second.stdout, /k6: a threshold of the script was crossed: http_req_duration: p\(95\)<0\.001/);
});

test("k6: a script that does not parse is reported with k6's own line", { skip: !hasK6 }, async () => {
  writeFileSync(join(shop, 'broken.js'), 'export default function ( {\n');
  const { code, stderr, run } = await measure('{ tool: k6, script: broken.js }');
  assert.equal(code, 2);
  assert.match(stderr, /^perf-action: broken\.js: k6 cannot run it: .*Line 2:1 Unexpected end of input/);
  assert.equal(run, undefined);
});
