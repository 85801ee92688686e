/** Requests that a server drops are errors, with a kind of their own, in slices and alone. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { startLoading } from '../../scripts/load/load.js';

const { signal } = new AbortController();
const loading = startLoading();
after(() => loading.stop());

/** @param {import('node:http').RequestListener} answer */
async function serve(answer) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
}

/** @param {string} url @param {object} [changes] */
const target = (url, changes) => ({
  load: {
    tool: 'autocannon',
    connections: 8,
    durationSeconds: 1,
    warmupSeconds: 0,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
    ...changes,
  },
  request: { method: 'GET', path: '/', headers: {} },
  url,
  seconds: 1,
});

let asked = 0;
/** One answer of fifty. @type {Record<string, import('node:http').RequestListener>} */
const DROPPING = {
  resets: (request, response) => (asked++ % 50 === 0 ? response.end('ok') : request.socket.destroy()),
  stalls: (_request, response) => void (asked++ % 50 === 0 && response.end('ok')),
};

for (const [kind, answer] of Object.entries(DROPPING))
  test(`${kind} are counted, in slices and alone; a server that answers has none`, async () => {
    const [dropping, healthy] = [
      await serve(answer),
      await serve((_request, response) => response.end('ok')),
    ];
    const woven = await loading.weave([target(dropping), target(healthy)], signal);
    const alone = await loading.load({ ...target(dropping), signal });
    for (const window of [woven[0], alone]) {
      const errors = /** @type {Record<string, number>} */ (window?.errors ?? {});
      assert.ok((errors[kind] ?? 0) + (errors.connect ?? 0) >= 4, JSON.stringify(window?.errors));
    }
    assert.deepEqual(woven[1]?.errors, { timeouts: 0, connect: 0, non2xx: 0 });
  });

test('a server that closes its connections after an answer lost nothing', async () => {
  const url = await serve((_request, response) => response.setHeader('connection', 'close').end('ok'));
  for (const keepAlive of [true, false]) {
    const { errors, requests } = await loading.load({ ...target(url, { keepAlive }), signal });
    assert.ok(requests > 0);
    assert.equal(errors?.resets ?? 0, 0);
  }
});
