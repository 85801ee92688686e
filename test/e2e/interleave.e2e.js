/** Two real servers that a load tool loads alternately, in slices. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { target as targetOf } from '../load/target.js';
import { startLoading } from '../../scripts/load/load.js';

/**
 * @param {string} url
 * @param {object} [changes]
 * @param {object} [request]
 */
const target = (url, changes, request) => targetOf(url, { connections: 8, ...changes }, request);

const loading = startLoading();
after(() => loading.stop());
const { signal } = new AbortController();

/**
 * What each server saw, by name, how many requests both had at once, and how many came while the other one
 * was busy.
 * @type {{ busy: Record<string, number>, most: number, overlaps: number, seen: Record<string, number>, turns:
 *   string[] }}
 */
const site = { busy: { a: 0, b: 0 }, most: 0, overlaps: 0, seen: { a: 0, b: 0 }, turns: [] };

/**
 * @param {string} name
 * @param {number} ms that an answer takes
 * @param {string} [body] that it asks for
 */
async function serve(name, ms, body) {
  const server = createServer(async (request, response) => {
    site.busy[name] = (site.busy[name] ?? 0) + 1;
    site.seen[name] = (site.seen[name] ?? 0) + 1;
    if (site.turns.at(-1) !== name) site.turns.push(name);
    if (Number(site.busy[name === 'a' ? 'b' : 'a']) > 0) site.overlaps++;
    site.most = Math.max(site.most, Math.min(site.busy.a ?? 0, site.busy.b ?? 0));
    const sent = await request.toArray();
    if (ms > 0) await sleep(ms);
    response.statusCode = body === undefined || Buffer.concat(sent).toString('latin1') === body ? 200 : 400;
    site.busy[name] = (site.busy[name] ?? 0) - 1;
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}

for (const [what, changes, ms] of /** @type {const} */ ([
  ['fast answers', {}, 0],
  ['slow ones', {}, 20],
  ['pipelined requests', { pipelining: 3 }, 1],
  ['requests at a fixed rate', { rate: 400 }, 0],
]))
  test(`${what}: servers are loaded in many turns, never both at once, and every answer counts`, async () => {
    Object.assign(site, { busy: { a: 0, b: 0 }, most: 0, seen: { a: 0, b: 0 }, turns: [] });
    const [a, b] = [await serve('a', ms), await serve('b', ms)];
    const windows = await loading.interleave([target(a, changes), target(b, changes)], signal);
    assert.equal(site.most, 0);
    assert.ok(site.turns.length >= 4, site.turns.join(' '));
    assert.deepEqual(
      windows.map(({ requests }) => requests),
      [site.seen.a, site.seen.b],
    );
    for (const { seconds, requests, latencyMs, errors, clientSeconds, requestsPerSecond } of windows) {
      assert.ok(seconds >= 1 && requests > 0 && Number(clientSeconds) > 0);
      assert.ok(Number(latencyMs?.p50) >= ms);
      assert.deepEqual(errors, { timeouts: 0, connect: 0, non2xx: 0 });
      assert.ok(Number(requestsPerSecond?.avg) > 0);
    }
  });

test('at a fixed rate nothing is due while the other server is loaded, and what a server cannot answer in time is late', async () => {
  const rate = 1000;
  const windows = await loading.interleave(
    [target(await serve('a', 0), { rate }), target(await serve('b', 20), { rate })],
    signal,
  );
  const [able, overloaded] = windows;
  // No timing: a busy machine sends fewer, and nothing makes it send half as many again.
  assert.ok(able && able.requests < 1.5 * rate * able.seconds, JSON.stringify(able));
  // Eight connections answer 400 of 1,000 a second; a closed loop would show 20 ms.
  assert.ok(Number(overloaded?.latencyMs?.max) > 100, JSON.stringify(overloaded?.latencyMs));
});

for (const [what, changes, ms] of /** @type {const} */ ([
  ['slow ones', {}, 20],
  ['pipelined requests of two threads', { pipelining: 3, threads: 2 }, 0],
]))
  test(`wrk, ${what}: servers are loaded in many turns, seldom both at once, and every answer counts`, async () => {
    const targets = [await serve('a', ms), await serve('b', ms)].map((url) => ({
      ...target(url, { tool: 'wrk', ...changes }),
      answerMs: ms + 5,
    }));
    Object.assign(site, { busy: { a: 0, b: 0 }, overlaps: 0, seen: { a: 0, b: 0 }, turns: [] });
    const windows = await loading.interleave(targets, signal);
    assert.ok(site.turns.length >= 4, site.turns.join(' '));
    assert.ok(
      site.overlaps < (Number(site.seen.a) + Number(site.seen.b)) / 3,
      `${site.overlaps} of ${JSON.stringify(site.seen)}`,
    );
    for (const [place, { seconds, requests, latencyMs, errors, clientSeconds }] of windows.entries()) {
      const seen = Number(Object.values(site.seen)[place]);
      // Requests on their way when wrk ended have no answer that it counts.
      assert.ok(requests > 0 && requests <= seen && seen - requests <= 24, `${requests} of ${seen}`);
      assert.equal(seconds, 1);
      // Of its own process alone, not of both.
      assert.ok(Number(clientSeconds) > 0);
      // A timer of Node may end a millisecond early.
      if (latencyMs) assert.ok(Number(latencyMs.min) >= ms - 1, JSON.stringify(latencyMs));
      assert.deepEqual(errors, { timeouts: 0, connect: 0, write: 0, non2xx: 0 });
    }
  });

test('wrk beside a server that is not there fails at once', async () => {
  const targets = ['http://127.0.0.1:9', await serve('b', 0)].map((url) => target(url, { tool: 'wrk' }));
  await assert.rejects(loading.interleave(targets, signal), { kind: 'load-tool-crashed' });
});

test('bytes of a body are sent as they are', async () => {
  const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const urls = [
    await serve('a', 2, Buffer.from(body).toString('latin1')),
    await serve('b', 2, Buffer.from(body).toString('latin1')),
  ];
  const windows = await loading.interleave(
    urls.map((url) => target(url, {}, { method: 'POST', body })),
    signal,
  );
  for (const { requests, errors } of windows) assert.ok(requests > 0 && errors?.non2xx === 0);
});

test('a server that is not there counts errors, and the other is loaded all the same', async () => {
  const windows = await loading.interleave(
    [target('http://127.0.0.1:9'), target(await serve('b', 2))],
    signal,
  );
  const [gone, there] = windows;
  assert.equal(gone?.requests, 0);
  assert.ok(Number(gone?.errors?.connect) > 0);
  assert.ok(Number(there?.requests) > 0 && there?.errors?.connect === 0);
});
