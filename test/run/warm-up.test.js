/** How long a server is warmed up that grows faster while it works. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warmUntilLevel } from '../../scripts/run/warm-up.js';

/**
 * @param {(second: number) => number} rateAt
 * @param {(second: number) => number} [compileMsAt]
 * @param {{ budgetSeconds?: number }} [bounds]
 */
async function warmed(rateAt, compileMsAt, bounds) {
  let second = 0;
  const step = async (/** @type {number} */ seconds) => {
    const at = second++;
    const jvm = compileMsAt && { metaspaceBytes: 1, threads: 1, classes: 1, compileMs: compileMsAt(at) };
    return { at, seconds, requests: Math.round(rateAt(at) * seconds), ...(jvm && { jvm }) };
  };
  const { level, windows } = await warmUntilLevel(step, bounds);
  return [level, windows.length];
}

test('a warm-up ends where throughput no longer rises', async () => {
  const spring = [4, 9, 16, 22, 28, 33, 36, 38, 39, 40, 40];
  assert.deepEqual(await warmed((second) => 1000 * (spring[second] ?? 40)), [true, 13]);
  assert.deepEqual(await warmed(() => 40_000), [true, 6]);
});

test('where throughput rests, it waits for the compilers', async () => {
  const compileMs = (/** @type {number} */ second) => (second < 20 ? 900 : 0);
  assert.deepEqual(await warmed(() => 40_000, compileMs), [true, 23]);
});

test('one that never levels off ends too, and sooner beside a budget', async () => {
  const rising = (/** @type {number} */ second) => 1000 * 1.1 ** second;
  assert.deepEqual(await warmed(rising), [false, 60]);
  assert.deepEqual(await warmed(rising, undefined, { budgetSeconds: 300 }), [false, 20]);
  assert.deepEqual(await warmed(rising, undefined, { budgetSeconds: 10 }), [false, 6]);
});
