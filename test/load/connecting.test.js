import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { interleave } from '../../scripts/load/tools/autocannon-interleave.js';

test('no request is due, and no time of a window passes, before the connections are open', async () => {
  const conn = { connecting: true };
  const opened = /** @type {boolean[]} */ ([]);
  const result = { requests: { total: 1 }, throughput: { total: 1 } };
  const running = Object.assign(new EventEmitter(), {
    stop() {},
    then: (/** @type {any} */ done) => done(result),
  });
  const startedAt = performance.now();
  const gate = { hold() {}, open: () => void opened.push(!conn.connecting), close: async () => true };
  setTimeout(() => (conn.connecting = false), 150);
  const [load] = await interleave([
    {
      gate,
      seconds: 0.05,
      isPaced: true,
      start(hold) {
        hold(/** @type {any} */ (Object.assign(new EventEmitter(), { conn })));
        return running;
      },
    },
  ]);
  assert.deepEqual(opened, [true]);
  assert.ok(load && load.duration < (performance.now() - startedAt) / 1000 - 0.1, `${load?.duration} s`);
});
