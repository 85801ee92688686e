/** The search for a server's capacity, on servers whose capacity is known. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  capacityIn,
  capacityOf,
  compareCapacity,
  isBelowFirst,
  nextRate,
} from '../../scripts/judge/capacity.js';
import { caseOf, seededNormal } from './runs.js';

const WANTED = { firstRate: 500, mostMs: 50 };

/**
 * A server whose p99 is 50 ms at its capacity, and rises steeply there.
 * @param {{ rate: number, noise: number, random: () => number }} server
 * @param {number} [count]
 */
function search({ rate: capacity, noise, random }, count = 20) {
  /** @type {any[]} */
  const windows = [];
  while (windows.length < count) {
    const rate = nextRate(windows, WANTED);
    const load = (rate / capacity) * Math.exp(noise * random());
    windows.push({
      rate,
      seconds: 1,
      requests: Math.min(rate, 1.1 * capacity),
      latencyMs: { p99: 50 * load ** 8 },
    });
  }
  return windows;
}

/** @type {(server: any, rounds?: number) => any} */
const measured = (server, rounds = 5) =>
  caseOf(
    'shop',
    Array.from({ length: rounds }, (_, round) => ({ round, failure: null, windows: search(server) })),
  );

test('a search without noise ends at the capacity, from far below', () => {
  const windows = search({ rate: 20_000, noise: 0, random: () => 0 });
  assert.equal(windows[0].rate, 500);
  assert.ok(Math.abs((capacityIn(windows, WANTED) ?? 0) / 20_000 - 1) < 0.03);
});

test('the capacity of an unchanged noisy server is within 5 % in 19 of 20 runs', () => {
  const random = seededNormal(3);
  const rates = Array.from(
    { length: 200 },
    () => capacityOf(measured({ rate: 8000, noise: 0.05, random }), WANTED)?.rate ?? 0,
  );
  const near = rates.filter((rate) => Math.abs(rate / 8000 - 1) < 0.05);
  assert.ok(near.length >= 190, String(near.length));
});

test('a fifth less capacity is found, and an unchanged one is hardly ever reported', () => {
  const random = seededNormal(4);
  const sideOf = (/** @type {number} */ rate) => measured({ rate, noise: 0.05, random });
  const verdicts = (/** @type {number} */ rate) =>
    Array.from(
      { length: 100 },
      () => compareCapacity({ base: sideOf(8000), head: sideOf(rate) }, { ...WANTED, margin: 0.05 }).verdict,
    );
  const count = (/** @type {string[]} */ all, /** @type {string} */ verdict) =>
    all.filter((each) => each === verdict).length;
  assert.ok(count(verdicts(6400), 'regressed') >= 90);
  assert.ok(count(verdicts(8000), 'regressed') + count(verdicts(8000), 'improved') <= 3);
});

test('a search that never turns has no capacity, and one round no interval', () => {
  assert.equal(capacityIn(search({ rate: 1e9, noise: 0, random: () => 0 }), WANTED), undefined);
  assert.equal(
    capacityOf(measured({ rate: 8000, noise: 0, random: () => 0 }, 1), WANTED)?.interval,
    undefined,
  );
  assert.equal(capacityOf(caseOf('shop', []), WANTED), undefined);
});

test('a server whose p99 is above the limit at the first rate is below it', () => {
  const server = { noise: 0, random: () => 0 };
  assert.ok(isBelowFirst(measured({ ...server, rate: 400 }), WANTED));
  assert.ok(!isBelowFirst(measured({ ...server, rate: 600 }), WANTED));
});
