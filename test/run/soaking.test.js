/** A soak's schedule, and what it does between windows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleOf, soaking } from '../../scripts/run/soaking.js';

test('a soak lasts as long as it is asked to, with 24 to 60 readings and whole seconds of load', () => {
  for (const seconds of [120, 125, 300, 600, 1000, 3600, 86_400]) {
    const { cycles, loadSeconds, restSeconds } = scheduleOf(seconds);
    assert.ok(2 * cycles >= 24 && 2 * cycles <= 60);
    assert.ok(Math.abs(cycles * (loadSeconds + restSeconds) - seconds) < 1e-6);
    assert.ok(Number.isInteger(loadSeconds) && loadSeconds >= 5);
    assert.ok(restSeconds >= loadSeconds && restSeconds < loadSeconds + 2);
  }
});

/** @param {AbortController} [controller] */
async function soakedFakes(controller = new AbortController()) {
  /** @type {string[]} */
  const words = [];
  const memory = { heapBytes: 5, externalBytes: 2, rssBytes: 9 };
  const read = async () => (words.push('read'), memory);
  /** @type {any} */
  const fakes = {
    now: () => 1000 * words.length,
    load: async () => (words.push('load'), { requests: 10, seconds: 1 }),
    observe: () => ({ stop: async () => (words.push('stop'), { rssBytes: 9 }) }),
  };
  /** @type {import('../../scripts/types.js').MemoryReading[]} */
  const readings = [];
  /** @type {any} */
  let inside;
  const dependencies = soaking(
    { restSeconds: 0.01 },
    {
      signal: controller.signal,
      onReading: (reading) => readings.push(reading),
      enter: /** @type {any} */ (async () => ({ read })),
      connect: (enter) => ((inside = enter), fakes),
    },
  );
  await inside('node');
  return { dependencies, words, readings };
}

test('memory is read after each load and each rest, once the window has ended', async () => {
  const { dependencies, words, readings } = await soakedFakes();
  for (let cycle = 0; cycle < 2; cycle++) {
    const window = dependencies.observe(1);
    await dependencies.load(/** @type {any} */ ({}));
    assert.deepEqual(await window.stop(), { rssBytes: 9 });
    await window.stop();
  }
  assert.deepEqual(words, ['load', 'stop', 'read', 'read', 'load', 'stop', 'read', 'read']);
  assert.deepEqual(
    readings.map(({ requests }) => requests),
    [10, 10, 20, 20],
  );
  assert.deepEqual(readings[0], { at: 3, requests: 10, heapBytes: 5, externalBytes: 2, rssBytes: 9 });
});

test('a window without answers has no rest, and a cancelled soak reads no more', async () => {
  const controller = new AbortController();
  const { dependencies, words } = await soakedFakes(controller);
  await dependencies.observe(1).stop();
  controller.abort();
  const window = dependencies.observe(1);
  await dependencies.load(/** @type {any} */ ({}));
  await window.stop();
  assert.deepEqual(words, ['stop', 'load', 'stop']);
});
