/** Metrics of real Node servers: modules of both kinds, one with NODE_OPTIONS, and a cluster. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter } from '../../scripts/observe/observe.js';
import { withObserved } from '../observe/observed-server.js';

/** Blocks its event loop for 150 ms and leaves garbage; answers with its options and its heap limit. */
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

/**
 * @param {string} file
 * @param {string} text
 * @param {Record<string, string>} [env]
 */
async function observed(file, text, env = {}) {
  const inside = await enter('node', { runtimeMetrics: true });
  const server = { runtime: 'node', files: { [file]: text }, start: ['node', file], env, inside };
  return withObserved(server, async (instance, begin) => {
    const window = begin();
    /** @type {any} */
    let answer;
    for (let request = 0; request < 6; request++)
      answer = await (await fetch(`${instance.url}/block`)).json();
    const seen = await window.stop();
    await instance.stop();
    assert.notEqual((await instance.exited).signal, 'SIGKILL');
    return { answer, seen };
  });
}

/** @param {Awaited<ReturnType<typeof observed>>} observation */
function assertComplete({ seen }) {
  const { eventLoopDelayMs, eventLoopUtilisation = -1, gc, heapBytes = 0 } = seen;
  assert.ok((eventLoopDelayMs?.max ?? 0) > 100, JSON.stringify(seen));
  assert.ok(eventLoopUtilisation > 0.1 && eventLoopUtilisation <= 1);
  assert.ok(gc && gc.count > 0 && gc.pauseMs >= gc.longestMs);
  assert.ok(heapBytes > 1e6);
}

test('an ES module sends its metrics, and keeps its NODE_OPTIONS', async () => {
  const observation = await observed('server.mjs', ESM, { NODE_OPTIONS: '--max-old-space-size=77' });
  assertComplete(observation);
  assert.match(observation.answer.options, /^--max-old-space-size=77 --require /);
  assert.ok(observation.answer.heapMb < 200, `${observation.answer.heapMb} MB`);
});

test('a cluster of CommonJS processes sends its metrics', async () => {
  assertComplete(await observed('server.cjs', CLUSTER));
});

test('a server that overwrites NODE_OPTIONS sends nothing', async () => {
  const { seen } = await observed(
    'server.cjs',
    `if (!process.env.AGAIN) {
    const { spawn } = require('node:child_process');
    const env = { ...process.env, AGAIN: '1', NODE_OPTIONS: '', PERF_ACTION_RUNTIME_METRICS: '' };
    const child = spawn(process.execPath, [__filename], { env, stdio: 'inherit' });
    process.on('SIGTERM', () => child.kill());
    child.on('exit', () => process.exit());
  } else { ${CJS} }`,
  );
  // The wrapper answers, which only waits.
  assert.ok((seen.eventLoopUtilisation ?? 0) < 0.5, JSON.stringify(seen));
});

test('false metrics beside those of a server are ignored', async () => {
  const liar = `require('node:net').connect(process.env.PERF_ACTION_RUNTIME_METRICS)
    .on('error', () => {}).on('data', function () { this.write('{"utilisation":"x","gc":{},"heapBytes":-1}\\n'); }).unref();`;
  assertComplete(await observed('server.cjs', `${liar} ${CJS}`));
});

test('servers of other runtimes have no observer inside', async () => {
  assert.deepEqual(await enter('go'), []);
});
