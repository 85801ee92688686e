/** What Node servers feel, asked of real ones: modules of both kinds, with options of their own, and clusters. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../scripts/deploy/start/start.js';
import { enter, startWindow } from '../../scripts/observe/observe.js';

const signal = new AbortController().signal;

/** Blocks its event loop on /block for 150 ms, and leaves garbage; tells its options and its heap's limit. */
const ANSWERS = `(request, response) => {
  const until = performance.now() + (request.url === '/block' ? 150 : 0);
  do { garbage = Array.from({ length: 1000 }, () => ({ now: performance.now() })); } while (performance.now() < until);
  response.end(JSON.stringify({ options: process.env.NODE_OPTIONS, heapMb: v8.getHeapStatistics().heap_size_limit / 2 ** 20 }));
}`;
const LISTEN = 'listen(Number(process.env.PORT), process.env.HOST)';
const ESM = `import { createServer } from 'node:http'; import v8 from 'node:v8'; let garbage;
createServer(${ANSWERS}).${LISTEN};`;
const CJS = `const { createServer } = require('node:http'); const v8 = require('node:v8'); let garbage;
createServer(${ANSWERS}).${LISTEN};`;
const CLUSTER = `const cluster = require('node:cluster');
if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else { ${CJS} }`;

/** @param {string} file @param {string} text @param {Record<string, string>} [env] */
async function observed(file, text, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'runtime metrics '));
  writeFileSync(join(folder, file), text);
  /** @type {import('../../scripts/types.js').Server} */
  const server = {
    ...{ id: 'app', name: 'app', runtime: 'node', folder, start: ['node', file], env, needs: [] },
    ready: { path: '/', timeoutSeconds: 30 },
    routes: [{ id: '/', method: 'GET', path: '/', headers: {}, expect: { status: 200 } }],
  };
  const inside = await enter('node');
  const instance = await startServer(server, { signal, inside });
  try {
    const window = startWindow(instance.pid, { runtime: 'node', inside });
    /** @type {any} */
    let told;
    for (let turn = 0; turn < 6; turn++) told = await (await fetch(`${instance.url}/block`)).json();
    return { told, seen: await window.stop(), exited: instance.hasExited() };
  } finally {
    await instance.stop();
    assert.notEqual((await instance.exited).signal, 'SIGKILL');
    for (const each of inside) await each.stop();
    rmSync(folder, { recursive: true });
  }
}

for (const [kind, file, text] of [
  ['an ES module', 'server.mjs', ESM],
  ['CommonJS', 'server.cjs', CJS],
  ['a cluster', 'server.cjs', CLUSTER],
])
  test(`${kind} tells of its event loop, its collections and its heap`, async () => {
    const { seen } = await observed(file ?? '', text ?? '');
    assert.ok((seen.eventLoopDelayMs?.max ?? 0) > 100, JSON.stringify(seen));
    assert.ok((seen.eventLoopUtilisation ?? 0) > 0.1 && (seen.eventLoopUtilisation ?? 2) <= 1);
    assert.ok((seen.gc?.count ?? 0) > 0 && (seen.gc?.pauseMs ?? 0) >= (seen.gc?.longestMs ?? 1));
    assert.ok((seen.heapBytes ?? 0) > 1e6);
  });

test("a server's own NODE_OPTIONS stay", async () => {
  const { told, seen } = await observed('server.mjs', ESM, { NODE_OPTIONS: '--max-old-space-size=77' });
  assert.match(told.options, /^--max-old-space-size=77 --require /);
  assert.ok(told.heapMb < 200, `${told.heapMb} MB`);
  assert.ok((seen.gc?.count ?? 0) > 0);
});

test('what overwrites NODE_OPTIONS tells nothing, and what lies is not believed', async () => {
  const quiet = await observed(
    'server.cjs',
    `if (!process.env.AGAIN) {
    const { spawn } = require('node:child_process');
    const env = { ...process.env, AGAIN: '1', NODE_OPTIONS: '', PERF_ACTION_RUNTIME_METRICS: '' };
    const child = spawn(process.execPath, [__filename], { env, stdio: 'inherit' });
    process.on('SIGTERM', () => child.kill());
    child.on('exit', () => process.exit());
  } else { ${CJS} }`,
  );
  // Of the wrapper, which waits.
  assert.ok((quiet.seen.eventLoopUtilisation ?? 0) < 0.5, JSON.stringify(quiet.seen));
  const liar = `require('node:net').connect(process.env.PERF_ACTION_RUNTIME_METRICS)
    .on('error', () => {}).on('data', function () { this.write('{"utilisation":"x","gc":{},"heapBytes":-1}\\n'); }).unref();`;
  const { seen } = await observed('server.cjs', `${liar} ${CJS}`);
  assert.ok((seen.heapBytes ?? 0) > 1e6, JSON.stringify(seen));
});

test('other runtimes are not entered', async () => {
  assert.deepEqual(await enter('go'), []);
});
