import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from '../../scripts/report/text/words.js';

const { count, interval, megabytes, microseconds, milliseconds, percent, portion, rate, multiple } =
  wordsIn();

test('numbers are written with their units and as many digits as they need', () => {
  assert.deepEqual([rate(94_488.4), rate(12.34), rate(0)], ['94,488', '12.3', '0']);
  assert.deepEqual([percent(-7.25), percent(0.04), percent(-0.01)], ['−7.3 %', '0.0 %', '0.0 %']);
  assert.equal(interval([-9.5, 5]), '−9.5 to +5.0 %');
  assert.deepEqual([0.123, 12.34, 1234.5, 0.0042, 0].map(milliseconds), [
    '0.12',
    '12.3',
    '1,235',
    '0.0042',
    '0',
  ]);
  assert.deepEqual([4.944, 1, 0.171, 12].map(multiple), ['4.94x', '1x', '0.171x', '12x']);
  assert.deepEqual([522e6, 1.26e6, 900, 0].map(megabytes), ['522', '1.3', '0.0009', '0']);
  assert.deepEqual([0.844, 0.00012, 0].map(portion), ['84 %', '0.012 %', '0 %']);
  assert.equal(microseconds(19.21), '19.2');
});

test('what is no number is shown as missing', () => {
  const odd = /** @type {any[]} */ ([Number.NaN, Number.POSITIVE_INFINITY, undefined, null, '<b>', {}]);
  for (const value of odd) {
    const texts = [rate, count, milliseconds, microseconds, megabytes].map((format) => format(value));
    assert.deepEqual([...new Set(texts)], ['–'], String(value));
  }
  assert.deepEqual([multiple(Number.NaN), portion(Number.NaN), percent(Number.NaN)], ['–x', '– %', '– %']);
});
