/** Which windows are paired, and where rounds lie, against published examples and made-up rounds. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../bench/verdicts/recordings.js';
import { normal } from '../../bench/verdicts/worlds.js';
import { differencesOf, estimate, sameRounds, withoutWrecked } from '../../scripts/judge/mean-estimate.js';
import { pValue } from '../../scripts/judge/verdicts.js';
import { samplesOf } from '../../scripts/samples/case-figures.js';

/** @type {(actual: number | undefined, expected: number, within: number) => void} */
function near(actual, expected, within) {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < within, `${actual} is not ${expected}`);
}

/** Student's sleep data (1908): what ten patients gained by one drug and by the other. */
const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

test("a mean of differences has Student's t: the sleep data give what R's paired t.test prints", () => {
  const estimated = estimate(FIRST.map((value, place) => [(SECOND[place] ?? 0) - value]));
  assert.ok(estimated);
  near(estimated.effect, 1.58, 1e-9);
  near(estimated.effect / estimated.error, 4.0621, 1e-3);
  assert.equal(estimated.df, 9);
  const finding = {
    ...estimated,
    metric: /** @type {const} */ ('throughput'),
    base: 1,
    head: 1,
    floor: 0,
    grain: 0,
    nearest: 0,
  };
  near(2 * pValue(finding), 0.002833, 1e-5);
});

test('a round of several neighbours counts once, by their mean', () => {
  const [one, other] = [
    estimate([
      [1, 3],
      [4, 4],
      [2, 4],
    ]),
    estimate([[2], [4], [3]]),
  ];
  assert.equal(one?.effect, other?.effect);
  assert.equal(one?.error, other?.error);
  assert.equal(one?.df, 2);
});

test('of several starts in a round, those that ran beside each other are a pair, on one machine alone', () => {
  const reference = [
    { round: 0, at: 1 },
    { round: 0, at: 11 },
    { round: 1, at: 21 },
    { round: 0, block: 2, at: 1 },
  ];
  const served = [
    { round: 0, at: 12 },
    { round: 1, block: 2, at: 21 },
  ];
  assert.deepEqual(sameRounds(reference, served), [[reference[1], served[0]]]);
});

test('one round has no spread, and no rounds give no estimate', () => {
  assert.equal(estimate([[1, 2]])?.df, 0);
  assert.equal(estimate([]), undefined);
  assert.equal(estimate([[], []]), undefined);
});

test('a wrecked round is left out, whichever way it lies, and two of eight are', () => {
  const calm = [0.1, -0.2, 0.05, 0.12, -0.07, 0.02];
  assert.deepEqual(withoutWrecked([...calm, 30]), calm);
  assert.deepEqual(withoutWrecked([-30, ...calm]), calm);
  assert.deepEqual(withoutWrecked([-30, ...calm, 25]), calm);
});

test('rounds that only scatter are kept, nearly always', () => {
  const random = seededRandom(6);
  let left = 0;
  for (let i = 0; i < 1000; i++) {
    const values = Array.from({ length: 5 + (i % 20) }, () => normal(random));
    if (withoutWrecked(values).length < values.length) left++;
  }
  assert.ok(left <= 10, `${left} of 1000`);
});

test('half of the rounds are never taken for wrecked', () => {
  const values = [0, 0.01, -0.01, 0.02, 30, 30.01, 29.99, 30.02];
  assert.deepEqual(withoutWrecked(values), values);
});

/** @import { Trial } from '../../scripts/types.js' */

/** @type {(windows: [at: number, requests: number][], round?: number) => Trial} */
function start(windows, round = 0) {
  return {
    round,
    failure: null,
    windows: windows.map(([at, requests]) => ({ at, seconds: 1, requests })),
  };
}

/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 * @returns {number[][]} quotients of throughput, in percent
 */
const percents = (base, head) =>
  differencesOf(samplesOf(base), samplesOf(head), 'throughput').map((pairs) =>
    pairs.map((difference) => Math.round(100 * Math.exp(difference))),
  );

/** Each window of the base beside one of the head that answers as many percent of its requests. */
const BASE = /** @type {[number, number][]} */ ([
  [0, 1000],
  [3, 800],
  [4, 400],
  [7, 1200],
]);
const HEAD = /** @type {[number, number][]} */ ([
  [1, 910],
  [2, 736],
  [5, 372],
  [6, 1128],
]);

test('windows of servers that ran alternately are paired in order of time, whichever server came first', () => {
  assert.deepEqual(percents([start(BASE)], [start(HEAD)]), [[91, 92, 93, 94]]);
});

test('the order in the file does not matter, nor does a window that the other side lacks', () => {
  const head = [...HEAD.toReversed(), /** @type {[number, number]} */ ([9, 5])];
  assert.deepEqual(percents([start(BASE.toReversed())], [start(head)]), [[91, 92, 93, 94]]);
});

test('only starts of one round are paired', () => {
  const base = [start([[0, 100]], 0), start([[10, 100]], 1)];
  const head = [start([[11, 90]], 1), start([[21, 80]], 2)];
  assert.deepEqual(percents(base, head), [[90]]);
});
