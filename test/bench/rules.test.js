import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../bench/verdicts/rules.js';
import { seededRandom } from '../../bench/verdicts/recordings.js';
import { normal } from '../../bench/verdicts/worlds.js';

/** @import { Measured } from '../../bench/verdicts/rules.js' */

/** @type {Measured} */
const NOTHING = { starts: [[], []], runs: undefined, together: undefined, abba: undefined };

/**
 * @param {string} name
 * @param {Partial<Measured>} measured
 */
const call = (name, measured) =>
  RULES.find((rule) => rule.name.startsWith(name))?.call({ ...NOTHING, ...measured });

/**
 * @param {number[]} levels of processes
 * @returns {number[][]} twenty windows of each
 */
const flat = (levels) => levels.map((level) => Array(20).fill(level));

test('one run a side is slower beyond the threshold, and unknown where none was recorded', () => {
  assert.equal(call('one run a side, 5 %', { runs: [106, 100] }), 'regressed');
  assert.equal(call('one run a side, 5 %', { runs: [104, 100] }), 'neither');
  assert.equal(call('one run a side, 100 %', { runs: [100, 201] }), 'improved');
  assert.equal(call('one run a side, 5 %', {}), undefined);
});

test('tests of samples keep their level and find what lies apart', () => {
  const random = seededRandom(7);
  const sample = (/** @type {number} */ level) => Array.from({ length: 42 }, () => level + normal(random));
  for (const [name, most] of /** @type {const} */ ([
    ['Mann-Whitney', 0.08],
    ["Welch's t", 0.025],
  ])) {
    const calls = Array.from({ length: 1000 }, () => call(name, { starts: [sample(10), sample(10)] }));
    const alarms = calls.filter((made) => made !== 'neither').length / 1000;
    assert.ok(alarms > 0 && alarms < most, `${name}: ${alarms}`);
    assert.equal(call(name, { starts: [sample(10), sample(8)] }), 'regressed');
    assert.equal(call(name, { starts: [sample(10), sample(12)] }), 'improved');
  }
});

test('two processes a side mark what moved further than they differ, in every round', () => {
  const marked = (/** @type {number[]} */ bases, /** @type {number[]} */ heads) =>
    call('two processes a side', { together: [flat(bases), flat(heads)] });
  assert.equal(marked([100, 101], [96, 97]), 'regressed');
  assert.equal(marked([100, 101], [104, 105]), 'improved');
  assert.equal(marked([100, 105], [96, 97]), 'regressed');
  assert.equal(marked([100, 108], [96, 97]), 'neither', 'the base differs by 8 %');
  assert.equal(marked([100, 100], [99, 99]), 'neither', 'less than 2 %');
});

test('two starts a side show a change that all four pairings agree on', () => {
  const made = (/** @type {number[]} */ bases, /** @type {number[]} */ heads) =>
    call('two starts a side', { abba: [flat(bases), flat(heads)] });
  assert.equal(made([100, 101], [90, 91]), 'regressed');
  assert.equal(made([100, 101], [110, 111]), 'improved');
  assert.equal(made([100, 110], [99, 101]), 'neither');
});
