/** Which windows are paired, and what lies between them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf } from '../../scripts/judge/mean-estimate.js';
import { samplesOf } from '../../scripts/samples/samples.js';

/** @import { Trial } from '../../scripts/types.js' */

/** @param {[at: number, requests: number][]} windows @param {number} [round] @returns {Trial} */
function start(windows, round = 0) {
  return {
    round,
    failure: null,
    windows: windows.map(([at, requests]) => ({ at, seconds: 1, requests })),
  };
}

/** @param {Trial[]} base @param {Trial[]} head @returns {number[][]} quotients of throughput, in percent */
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

test('windows of servers that ran in turn are paired in order of time, whichever server came first', () => {
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
