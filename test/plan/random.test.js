import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../scripts/plan/random.js';

test('the generator gives the published sequence of mulberry32', () => {
  const random = seededRandom(0);
  const bits = Array.from({ length: 3 }, () => random() * 2 ** 32);
  assert.deepEqual(bits, [1144304738, 1416247, 958946056]);
});
