import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, shuffle } from '../../scripts/plan/shuffle.js';

test('the generator gives the published sequence of mulberry32', () => {
  const random = seededRandom(0);
  const bits = Array.from({ length: 3 }, () => random() * 2 ** 32);
  assert.deepEqual(bits, [1144304738, 1416247, 958946056]);
});

test('every order is about equally frequent', () => {
  const random = seededRandom(1);
  /** @type {Map<string, number>} */
  const seen = new Map();
  for (let index = 0; index < 6000; index++) {
    const order = shuffle(['a', 'b', 'c'], random).join('');
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  assert.equal(seen.size, 6);
  // Five standard deviations of a count around 1000; the seed is fixed, so this never flickers.
  for (const [order, count] of seen) assert.ok(Math.abs(count - 1000) < 145, `${order}: ${count}`);
});

test('the list that was given stays as it was', () => {
  const items = [1, 2, 3, 4];
  shuffle(items, seededRandom(5));
  assert.deepEqual(items, [1, 2, 3, 4]);
});
