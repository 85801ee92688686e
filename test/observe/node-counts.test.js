/** Counts of real Node processes. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { enter } from '../../scripts/observe/observe.js';
import { withObserved } from './observed-server.js';

/** Allocates 80 kB; asks another server twice, by both clients of Node. */
const SERVER = `import { createServer, get } from 'node:http';
const other = process.env.OTHER;
createServer(async (request, response) => {
  if (request.url !== '/ready') {
    globalThis.kept = new Array(10_000).fill(0.5);
    await new Promise((resolve) => get(other, (answer) => answer.resume().once('end', resolve)));
    await (await fetch(other)).text();
  }
  response.end();
}).listen(Number(process.env.PORT), process.env.HOST);`;

test('bytes and outgoing requests are those of the window, and none are counted without load', async () => {
  const other = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  assert.ok(address && typeof address === 'object');
  const host = `127.0.0.1:${address.port}`;
  const inside = await enter('node');
  assert.deepEqual(
    inside.map(({ counts }) => counts),
    [true],
  );
  const server = {
    runtime: 'node',
    files: { 'server.mjs': SERVER },
    start: ['node', 'server.mjs'],
    env: { OTHER: `http://${host}` },
    inside,
  };
  try {
    await withObserved(server, async ({ url }, begin) => {
      const countOf = async (/** @type {number} */ requests) => {
        const window = begin();
        for (let request = 0; request < requests; request++) await (await fetch(url)).text();
        return window.stop();
      };
      const first = await countOf(30);
      assert.deepEqual(first.outgoing, { count: 60, by: { [host]: 60 } });
      const bytes = (first.allocatedBytes ?? 0) / 30;
      assert.ok(bytes > 80_000 && bytes < 800_000, `${bytes} bytes`);
      assert.deepEqual((await countOf(2)).outgoing, { count: 4, idle: 0, by: { [host]: 4 } });
      assert.deepEqual((await countOf(0)).outgoing, { count: 0, idle: 0, by: {} });
      await (await fetch(url)).text();
      await inside[0]?.rest?.();
      assert.equal((await countOf(0)).outgoing?.idle, 0, 'what a check asked is not counted');
    });
  } finally {
    other.closeAllConnections();
    other.close();
  }
});

test('alone, what a function allocates does not depend on whether V8 inlines it', async () => {
  const server = `const pair = (left, right) => ({ left, right });
require('node:http').createServer((request, response) => {
  let sum = 0;
  for (let each = 0; each < 1e5; each++) sum += pair(each, 1).right;
  response.end(String(sum));
}).listen(Number(process.env.PORT), process.env.HOST);`;
  const inside = await enter('node');
  const started = {
    runtime: 'node',
    files: { 'server.cjs': server },
    start: ['node', 'server.cjs'],
    env: { PERF_ACTION_COUNTS_ALONE: '1' },
    inside,
  };
  await withObserved(started, async ({ url }, begin) => {
    const ask = async () => (await fetch(url)).text();
    for (let request = 0; request < 50; request++) await ask();
    const window = begin();
    await ask();
    const { allocatedBytes = 0 } = await window.stop();
    assert.ok(allocatedBytes > 2e6, `${allocatedBytes} bytes`);
  });
});

test('what another program writes instead of an answer leaves the counts out', async () => {
  const liar = `require('node:net').connect(process.env.PERF_ACTION_COUNTS).on('error', () => {})
    .on('data', function () { this.write('{"allocatedBytes":1,"outgoing":{"count":-1,"by":{}}}\\n'); }).unref();
    require('node:http').createServer((request, response) => response.end())
    .listen(Number(process.env.PORT), process.env.HOST);`;
  const inside = await enter('node');
  const server = { runtime: 'node', files: { 'server.cjs': liar }, start: ['node', 'server.cjs'], inside };
  await withObserved(server, async ({ url }, begin) => {
    const window = begin();
    await (await fetch(url)).text();
    const seen = await window.stop();
    assert.deepEqual([seen.allocatedBytes, seen.outgoing], [undefined, undefined]);
  });
});

test('the port of the server itself is left out of the names of hosts, and others are whole', async () => {
  const server = `import { createServer, request } from 'node:http';
const { PORT, HOST } = process.env;
const ask = (host) => new Promise((resolve) => request({ host: HOST, port: PORT, headers: { host } }, (answer) => answer.resume().once('end', resolve)).end());
createServer(async (asked, response) => {
  if (asked.url === '/both') for (const host of ['own:' + PORT, 'other:' + PORT + '1']) await ask(host);
  response.end(PORT);
}).listen(Number(PORT), HOST);`;
  const inside = await enter('node');
  const started = { runtime: 'node', files: { 'server.mjs': server }, start: ['node', 'server.mjs'], inside };
  await withObserved(started, async ({ url }, begin) => {
    const window = begin();
    const port = await (await fetch(new URL('/both', url))).text();
    assert.deepEqual((await window.stop()).outgoing?.by, { own: 1, [`other:${port}1`]: 1 });
  });
});

test('nothing is counted of a window in which a process ended', async () => {
  const server = `import { fork } from 'node:child_process';
import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.url === '/ready') response.end();
  else fork('./child.mjs').once('exit', () => response.end());
}).listen(Number(process.env.PORT), process.env.HOST);`;
  const files = { 'server.mjs': server, 'child.mjs': 'setTimeout(() => process.exit(), 300);' };
  const inside = await enter('node');
  await withObserved(
    { runtime: 'node', files, start: ['node', 'server.mjs'], inside },
    async ({ url }, begin) => {
      const window = begin();
      await (await fetch(url)).text();
      assert.deepEqual((await window.stop()).outgoing, undefined);
      const next = await begin().stop();
      assert.equal(next.outgoing?.count, 0, 'the next one is whole');
    },
  );
});
