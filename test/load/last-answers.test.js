/**
 * A tool at a rate waits for its last answers, but sends nothing meanwhile: that does not make the rate
 * missed.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startLoading } from '../../scripts/load/load.js';
import { runTool } from '../../scripts/load/runner.js';
import { k6 } from '../../scripts/load/tools/k6.js';
import { missedRate } from '../../scripts/model/load-model-check.js';
import { target } from './target.js';

const signal = new AbortController().signal;

/**
 * @param {import('../../scripts/types.js').LoadedWindow} window
 * @param {number} rate
 */
const missed = (window, rate) =>
  missedRate([{ round: 0, failure: null, windows: [{ at: 0, ...window }] }], { rate });

test('k6: 20 requests a second for 2 s, each answered after 300 ms', async () => {
  const captured = fileURLToPath(new URL('../data/load/k6-1.8-last-answers.json', import.meta.url));
  const replay = {
    ...k6,
    command: async (/** @type {{ scratch: string }} */ { scratch }) => [
      'cp',
      captured,
      join(scratch, 'summary.json'),
    ],
  };
  const asked = { ...target('', { tool: 'k6', rate: 20 }), seconds: 2, signal };
  const window = await runTool(replay, asked);
  assert.deepEqual([window.seconds, window.requests, missed(window, 20)], [2, 41, undefined]);
  const closed = await runTool(replay, { ...target('', { tool: 'k6' }), seconds: 2, signal });
  assert.equal(closed.seconds.toFixed(1), '2.3', 'a closed loop lasts until its last answer');
});

test('autocannon: one request a second of each connection, each answered after 800 ms', async () => {
  const server = createServer((_, response) => void setTimeout(() => response.end('ok'), 800));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const loading = startLoading();
  try {
    const asked = target(`http://127.0.0.1:${port}`, { connections: 20, rate: 20 });
    // On a busy machine the load ends some tenths late, which are little of four seconds.
    const window = await loading.load({ ...asked, seconds: 4, signal });
    assert.ok(window.requests >= 80, `${window.requests} requests`);
    assert.equal(missed(window, 20), undefined, `${window.requests} requests in ${window.seconds} s`);
  } finally {
    await loading.stop();
    server.closeAllConnections();
    server.close();
  }
});
