/**
 * Requests that a server drops are errors of a separate kind, in slices and alone, with every load tool.
 * @import { LoadedWindow } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { target as targetOf } from '../load/target.js';
import { startLoading, versionOf } from '../../scripts/load/load.js';
import { withStalls } from '../../scripts/load/read-window.js';
import { TOOLS } from '../../scripts/load/tools.js';

const { signal } = new AbortController();
/**
 * @param {string} url
 * @param {object} [changes]
 * @param {object} [request]
 */
const target = (url, changes, request) => targetOf(url, { connections: 8, ...changes }, request);

const loading = startLoading();
after(() => loading.stop());

/** 5 ms an answer: what is lost needs no full load. @param {import('node:http').RequestListener} answer */
async function serve(answer) {
  const server = createServer((request, response) => void setTimeout(answer, 5, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
}

/** One answer of fifty, the first. @type {Record<string, () => import('node:http').RequestListener>} */
const DROPPING = {
  resets() {
    let asked = 0;
    return (request, response) => (asked++ % 50 === 0 ? response.end('ok') : request.socket.destroy());
  },
  stalls() {
    let asked = 0;
    return (_request, response) => void (asked++ % 50 === 0 && response.end('ok'));
  },
};

for (const [kind, answer] of Object.entries(DROPPING))
  test(`${kind} are counted in slices; a server that answers has none`, async () => {
    const [dropping, healthy] = [
      await serve(answer()),
      await serve((_request, response) => response.end('ok')),
    ];
    const [dropped, answered] = await loading.interleave([target(dropping), target(healthy)], signal);
    const errors = /** @type {Record<string, number>} */ (dropped?.errors ?? {});
    // On a crowded machine a request may time out before it counts as stalled.
    const lost = (errors[kind] ?? 0) + (errors.connect ?? 0) + (errors.timeouts ?? 0);
    assert.ok(lost >= 4, JSON.stringify(errors));
    assert.deepEqual(answered?.errors, { timeouts: 0, connect: 0, non2xx: 0 });
  });

test('a connection that is closed after its first answer loses the second request', async () => {
  const seen = new WeakSet();
  const url = await serve((request, response) => {
    if (seen.has(request.socket)) return request.socket.destroy();
    seen.add(request.socket);
    response.end('ok');
  });
  const { errors, requests } = await loading.load({ ...target(url), signal });
  assert.ok(requests > 0 && Number(errors?.resets) > 0, JSON.stringify(errors));
});

test('a server that closes its connections after an answer, and says so, loses nothing', async () => {
  const url = await serve((_request, response) => response.setHeader('connection', 'close').end('ok'));
  for (const keepAlive of [true, false]) {
    const { errors, requests, latencyMs } = await loading.load({ ...target(url, { keepAlive }), signal });
    assert.ok(requests > 0);
    assert.deepEqual(errors, { timeouts: 0, connect: 0, non2xx: 0 });
    // In a closed loop the latencies add up to no more than the connections' time.
    assert.ok((requests * Number(latencyMs?.avg)) / 1000 <= 1.5 * 8 * 2, JSON.stringify(latencyMs));
  }
});

for (const tool of TOOLS) {
  const skip = (await versionOf(tool)) === undefined && `${tool.id} is not installed`;
  // Locust's users take their time to begin.
  const seconds = tool.id === 'locust' ? 2 : 1;
  const load = (/** @type {string} */ url, /** @type {object} */ changes, longer = seconds) =>
    loading.load({ ...target(url, { tool: tool.id, ...changes }), seconds: longer, signal });

  for (const [kind, answer] of Object.entries(DROPPING))
    test(`${tool.id} counts ${kind}, also of pipelined requests`, { skip }, async () => {
      for (const pipelining of tool.can.includes('pipelining') ? [1, 4] : [1]) {
        const { errors } = await load(await serve(answer()), { pipelining });
        assert.ok((errors?.[/** @type {'resets'} */ (kind)] ?? 0) >= 4, JSON.stringify(errors));
      }
    });

  test(`${tool.id}: a healthy server loses nothing, with many connections`, { skip }, async () => {
    // With 5 ms so many connections would be a full load.
    const url = await serve((_request, response) => setTimeout(() => response.end('ok'), 50));
    for (const keepAlive of [true, false]) {
      // A busy machine can pause this server for half a second, which is most of a second.
      const { errors = {}, requests } = await load(url, { keepAlive, connections: 100 }, 3);
      assert.ok(requests > 0);
      assert.deepEqual([errors.resets ?? 0, errors.stalls ?? 0], [0, 0]);
    }
  });
}

/** @type {[title: string, window: object, changes: object, stalls: number | undefined][]} */
const WINDOWS = [
  ['one answer, and silence', { requests: 1, latencyMs: { avg: 5 } }, {}, 8],
  ['no latency, and nothing lost', { requests: 3 }, {}, 8],
  ['pipelined requests', { requests: 4, latencyMs: { avg: 5 } }, { pipelining: 4 }, 32],
  ['connections that are busy', { requests: 1600, latencyMs: { avg: 4 } }, {}, undefined],
  ['answers that take half of the window', { requests: 8, latencyMs: { avg: 500 } }, {}, undefined],
  ['resets', { requests: 1, errors: { resets: 900 } }, {}, undefined],
  ['a fixed rate', { requests: 1, latencyMs: { avg: 5 } }, { rate: 1 }, undefined],
  ['a script', { requests: 1, latencyMs: { avg: 5 } }, { script: 'journey.py' }, undefined],
];
for (const [title, window, changes, stalls] of WINDOWS)
  test(`stalls of a tool that reports none are inferred: ${title}`, () => {
    const { errors } = withStalls(
      /** @type {LoadedWindow} */ ({ seconds: 1, ...window }),
      target('', changes),
    );
    assert.equal(errors?.stalls, stalls);
  });
