/** How long the warm-up of a server lasts that grows faster while it works. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsMissing, warmUntilLevel } from '../../scripts/run/warm-up.js';

/**
 * @param {(second: number) => number} rateAt
 * @param {(second: number) => number} [compileMsAt]
 * @param {{ stepSeconds?: number, endsAt?: number, windowsFrom?: number }} [clock] stepSeconds: of one
 */
async function warmed(rateAt, compileMsAt, { stepSeconds = 1, endsAt = 60, windowsFrom = Infinity } = {}) {
  let second = 0;
  let now = 0;
  const step = async (/** @type {number} */ seconds) => {
    const at = second++;
    now += stepSeconds;
    const jvm = compileMsAt && { metaspaceBytes: 1, threads: 1, classes: 1, compileMs: compileMsAt(at) };
    return [{ at, seconds, requests: Math.round(rateAt(at) * seconds), ...(jvm && { jvm }) }];
  };
  const [warmup] = await warmUntilLevel(step, { elapsed: () => now, endsAt, windowsFrom });
  return [warmup?.level, warmup?.windows.length];
}

test('a warm-up ends once throughput no longer rises', async () => {
  const spring = [4, 9, 16, 22, 28, 33, 36, 38, 39, 40, 40];
  assert.deepEqual(await warmed((second) => 1000 * (spring[second] ?? 40)), [true, 13]);
  assert.deepEqual(await warmed(() => 40_000), [true, 6]);
});

test('if throughput pauses, it waits for the compilers', async () => {
  const compileMs = (/** @type {number} */ second) => (second < 20 ? 900 : 0);
  assert.deepEqual(await warmed(() => 40_000, compileMs), [true, 23]);
});

const rising = (/** @type {number} */ second) => 1000 * 1.1 ** second;

test('a warm-up that never levels off ends by the clock, after as many steps as show a level', async () => {
  assert.deepEqual(await warmed(rising), [false, 60]);
  assert.deepEqual(await warmed(rising, undefined, { stepSeconds: 4 }), [false, 15]);
  assert.deepEqual(await warmed(rising, undefined, { stepSeconds: 4, endsAt: 10 }), [false, 6]);
});

test('a warm-up ends when another step would take the time of the windows', async () => {
  assert.deepEqual(await warmed(rising, undefined, { stepSeconds: 6, windowsFrom: 40 }), [false, 6]);
  assert.deepEqual(await warmed(rising, undefined, { stepSeconds: 6, windowsFrom: 20 }), [false, 3]);
  assert.deepEqual(await warmed(rising, undefined, { stepSeconds: 6, windowsFrom: 0 }), [false, 1]);
});

test('servers that are warmed up together go on until all are level', async () => {
  let second = 0;
  const spring = [4, 9, 16, 22, 28, 33, 36, 38, 39, 40, 40];
  const step = async (/** @type {number} */ seconds) => {
    const at = second++;
    return [40, spring[at] ?? 40].map((requests) => ({ at, seconds, requests }));
  };
  const warmups = await warmUntilLevel(step, { elapsed: () => second, endsAt: 60, windowsFrom: Infinity });
  assert.deepEqual(
    warmups.map(({ level, windows }) => [level, windows.length, windows[0]?.requests]),
    [
      [true, 13, 40],
      [true, 13, 4],
    ],
  );
});

test('a warm-up lasts until enough requests are answered, but not for a server that would not come near them', () => {
  const missing = [20_000, 14_000, 8_000, 3_400, 140].map((requests) =>
    secondsMissing({ seconds: 1, requests }, 15_000),
  );
  assert.deepEqual(missing, [0, 0.25, 1, 2, 0]);
});
