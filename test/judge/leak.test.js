/** Leaks, over made-up series: 20 cycles of 10 s of load with 50,000 requests, and of 10 s of rest. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeLeak, LEAST_GROWTH } from '../../scripts/judge/leak.js';
import { seededNormal } from './runs.js';

const HOUR = 3600;
/** As readings of one server scatter after a collection, in bytes. */
const NOISE = 15_000;
const START = 8e6;

/**
 * @param {(at: number, requests: number) => number} grown bytes
 * @param {{ cycles?: number, seed?: number, noise?: number, held?: number }} [options] held: bytes that the last requests hold until the rest ends
 */
function series(grown, { cycles = 20, seed = 1, noise = NOISE, held = 0 } = {}) {
  const random = seededNormal(seed);
  return Array.from({ length: 2 * cycles }, (_, place) => {
    const at = 10 * (place + 1);
    const requests = 50_000 * Math.ceil((place + 1) / 2);
    const bytes = START + grown(at, requests) + (place % 2 === 0 ? held : 0) + noise * random();
    return { at, requests, heapBytes: bytes, externalBytes: 2e6, rssBytes: 6e7 + bytes };
  });
}

const SECONDS = 400;

test('a server that keeps its memory does not leak', () => {
  for (let seed = 0; seed < 200; seed++) {
    const { verdict, growsWith } = judgeLeak(series(() => 0, { seed, noise: 4000 }));
    assert.equal(verdict, 'does-not-leak', `seed ${seed}`);
    assert.equal(growsWith, undefined);
  }
});

test('noise alone is never a leak', () => {
  const verdicts = Array.from({ length: 500 }, (_, seed) => {
    const { verdict } = judgeLeak(series(() => 0, { seed, noise: 200_000 }));
    return verdict;
  });
  assert.ok(!verdicts.includes('leaks'));
});

test('a leak of requests grows with requests, and its interval holds the truth', () => {
  const leak = judgeLeak(series((_, requests) => 20 * requests));
  assert.equal(leak.verdict, 'leaks');
  assert.equal(leak.growsWith, 'requests');
  const [low, high] = leak.bytesPerRequest?.ci ?? [];
  assert.ok(Number(low) < 20 && Number(high) > 20, `${low} to ${high}`);
  assert.ok(Number(low) > 18 && Number(high) < 22);
});

test('a leak of a timer grows with time', () => {
  const leak = judgeLeak(series((at) => 20_000 * at));
  assert.equal(leak.verdict, 'leaks');
  assert.equal(leak.growsWith, 'time');
  const [low, high] = leak.idleBytesPerHour?.ci ?? [];
  assert.ok(Number(low) < 20_000 * HOUR && Number(high) > 20_000 * HOUR);
});

test('what the last requests hold is no leak, and hides none', () => {
  const held = { held: 35_000, noise: 4000 };
  for (let seed = 0; seed < 100; seed++) {
    assert.equal(
      judgeLeak(series((at) => 0.25 * at, { ...held, seed })).verdict,
      'does-not-leak',
      `seed ${seed}`,
    );
    const slow = judgeLeak(series((at) => 2000 * at, { ...held, seed }));
    assert.equal(slow.verdict, 'leaks', `seed ${seed}`);
    assert.notEqual(slow.growsWith, 'requests');
  }
});

test('two leaks are named as both', () => {
  const leak = judgeLeak(series((at, requests) => 20_000 * at + 8 * requests));
  assert.deepEqual([leak.verdict, leak.growsWith], ['leaks', 'both']);
});

test('growth of a few bytes an hour is none', () => {
  const leak = judgeLeak(series((at) => (0.3 * LEAST_GROWTH * at) / HOUR, { noise: 2000 }));
  assert.equal(leak.verdict, 'does-not-leak');
});

test('a rise at the beginning that ends is no leak', () => {
  for (const share of [0.1, 0.2, 0.3, 0.45]) {
    const end = share * SECONDS;
    const leak = judgeLeak(series((at) => 5e6 * Math.min(1, at / end), { noise: 4000 }));
    assert.equal(leak.verdict, 'does-not-leak', `a rise over ${share}`);
  }
});

test('growth that gets slower is no leak yet', () => {
  for (const share of [0.15, 0.25, 0.4]) {
    const leak = judgeLeak(series((at) => 5e6 * (1 - Math.exp(-at / (share * SECONDS))), { noise: 4000 }));
    assert.notEqual(leak.verdict, 'leaks', `after ${share}: ${JSON.stringify(leak)}`);
  }
});

test('a step, such as a cache that is filled once, is no leak', () => {
  for (let step = 0; step < SECONDS; step += 20) {
    const leak = judgeLeak(series((at) => (at > step ? 3e6 : 0), { seed: step }));
    assert.notEqual(leak.verdict, 'leaks', `a step at ${step} s`);
  }
});

test('a cache that is filled and emptied is no leak', () => {
  const leak = judgeLeak(series((at) => 2e6 * Math.sin(at / 25)));
  assert.notEqual(leak.verdict, 'leaks');
});

test('single readings that are far too high change no verdict', () => {
  const readings = series((_, requests) => 20 * requests);
  for (const place of [14, 27]) Object.assign(readings[place] ?? {}, { heapBytes: 60e6 });
  assert.equal(judgeLeak(readings).verdict, 'leaks');
});

test('leaks are found in nearly all of many series, and short ones of two minutes suffice for large leaks', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  const found = (/** @type {(seed: number) => ReturnType<typeof judgeLeak>} */ judge) =>
    seeds.filter((seed) => judge(seed).verdict === 'leaks').length;
  assert.ok(found((seed) => judgeLeak(series((at) => 2000 * at, { seed }))) >= 95);
  const short = (/** @type {number} */ seed) =>
    judgeLeak(series((_, requests) => 1000 * requests, { seed, cycles: 12 }));
  assert.ok(found(short) >= 95);
});

test('too few readings are unsure', () => {
  const leak = judgeLeak(series((at) => 1e5 * at, { cycles: 5 }));
  assert.deepEqual([leak.verdict, leak.why], ['unsure', 'few-readings']);
});

test('what the last requests hold is no growth, however many cycles there are', () => {
  for (const cycles of [13, 15, 17, 20])
    for (let seed = 0; seed < 20; seed++) {
      const { verdict } = judgeLeak(series(() => 0, { cycles, seed, noise: 2000, held: 400_000 }));
      assert.equal(verdict, 'does-not-leak', `${cycles} cycles, seed ${seed}`);
    }
});
