import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf, parseCount, parseDuration, parsePercent, splitList } from '../../scripts/model/units.js';

test('durations, percentages and counts are read as people write them', () => {
  const durations = { '500ms': 0.5, '10s': 10, '1.5s': 1.5, '5m': 300, '1h': 3600, ' 2s ': 2 };
  for (const [text, seconds] of Object.entries(durations)) assert.equal(parseDuration(text, 'here'), seconds);
  assert.deepEqual([parsePercent('5%', 'here'), parsePercent('2.5 %', 'here')], [0.05, 0.025]);
  assert.equal(parseCount('50', 'here'), 50);
});

for (const [parse, texts, mend] of /** @type {const} */ ([
  [
    parseDuration,
    ['10', '10 seconds', '10sec', '0s', '-1s', 's', '', '1e3s', 'Infinitys'],
    'duration; use a number above 0 with a unit, like 500ms, 10s or 5m',
  ],
  [parsePercent, ['0%', '100%', '-5%', '2', 'five', ''], 'percentage; use one between 0 and 100, like 5%'],
  [parseCount, ['0', '-1', '1.5', 'ten', '', '1e3'], 'count; use a whole number of at least 1'],
]))
  test(`${parse.name} refuses anything else`, () => {
    for (const text of texts) {
      const message = `--x: "${text}" is not a valid ${mend}`;
      assert.throws(() => parse(text, '--x'), { name: 'UserError', message });
    }
  });

test('a count that is too large is refused', () => {
  const message = '--rounds: "99999999999999999999" is too large; use at most 1000000';
  assert.throws(() => parseCount('99999999999999999999', '--rounds'), { message });
});

test('a choice outside the list names the list', () => {
  assert.equal(oneOf('b', ['a', 'b'], 'here'), 'b');
  assert.throws(() => oneOf('c', ['a', 'b'], '--x'), { message: '--x: "c" is not valid; use a or b' });
});

test('lists are split at commas and line ends', () => {
  assert.deepEqual(splitList(' a, b\nc ,,\n'), ['a', 'b', 'c']);
});
