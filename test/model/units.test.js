import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf, parseCount, parseDuration, parsePercent, splitList } from '../../scripts/model/units.js';

test('durations are read in every unit', () => {
  for (const [text, seconds] of /** @type {const} */ ([
    ['500ms', 0.5],
    ['10s', 10],
    ['1.5s', 1.5],
    ['5m', 300],
    ['1h', 3600],
    [' 2s ', 2],
  ])) {
    assert.equal(parseDuration(text, 'here'), seconds);
  }
});

for (const text of ['10', '10 seconds', '10sec', '0s', '-1s', 's', '', '1e3s', 'Infinitys']) {
  test(`"${text}" is not a valid duration`, () => {
    assert.throws(() => parseDuration(text, '--duration'), {
      name: 'UserError',
      message: `--duration: "${text}" is not a valid duration; use a number above 0 with a unit, like 500ms, 10s or 5m`,
    });
  });
}

test('percentages become shares', () => {
  assert.equal(parsePercent('5%', 'here'), 0.05);
  assert.equal(parsePercent('2.5', 'here'), 0.025);
  for (const text of ['0%', '100%', '-5%', 'five', '']) {
    assert.throws(() => parsePercent(text, '--margin'), /^UserError: --margin: .* is not a valid percentage/);
  }
});

test('counts are whole numbers of at least 1', () => {
  assert.equal(parseCount('50', 'here'), 50);
  for (const text of ['0', '-1', '1.5', 'ten', '', '1e3']) {
    assert.throws(() => parseCount(text, '--rounds'), {
      message: `--rounds: "${text}" is not a valid count; use a whole number of at least 1`,
    });
  }
  assert.throws(() => parseCount('99999999999999999999', '--rounds'), {
    message: '--rounds: "99999999999999999999" is too large; use at most 1000000',
  });
});

test('a choice outside the list names the list', () => {
  assert.equal(oneOf('b', ['a', 'b'], 'here'), 'b');
  assert.throws(() => oneOf('c', ['a', 'b'], '--x'), { message: '--x: "c" is not valid; use a or b' });
});

test('lists are split at commas and line ends', () => {
  assert.deepEqual(splitList(' a, b\nc ,,\n'), ['a', 'b', 'c']);
});
