/** Which windows are neighbours, and what is left between them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, neighboursOf } from '../../scripts/judge/paired-windows.js';

/** @import { Trial, Window } from '../../scripts/types.js' */

/**
 * @param {[at: number, requests: number][]} windows
 * @param {number} [round]
 * @returns {Trial}
 */
function boot(windows, round = 0) {
  return {
    round,
    failure: null,
    windows: windows.map(([at, requests]) => ({ at, seconds: 1, requests })),
  };
}

/** @param {[Window, Window][][]} rounds */
const times = (rounds) => rounds.map((pairs) => pairs.map((pair) => pair.map(({ at }) => at)));

test('of servers that took turns, adjacent windows are neighbours, whichever came first', () => {
  const base = boot([
    [0, 100],
    [3, 100],
    [4, 100],
    [7, 100],
  ]);
  const head = boot([
    [1, 100],
    [2, 100],
    [5, 100],
    [6, 100],
  ]);
  assert.deepEqual(times(neighboursOf([base], [head])), [
    [
      [0, 1],
      [3, 2],
      [4, 5],
      [7, 6],
    ],
  ]);
});

test('the order in the file does not matter, nor does a window that the other side lacks', () => {
  const base = boot([
    [3, 100],
    [0, 100],
  ]);
  const head = boot([
    [2, 100],
    [1, 100],
    [5, 100],
  ]);
  assert.deepEqual(times(neighboursOf([base], [head])), [
    [
      [0, 1],
      [3, 2],
    ],
  ]);
});

test('only boots of one round are neighbours', () => {
  const base = [boot([[0, 1]], 0), boot([[10, 1]], 1)];
  const head = [boot([[11, 1]], 1), boot([[21, 1]], 2)];
  assert.deepEqual(times(neighboursOf(base, head)), [[[10, 11]]]);
});

test('a moment of the machine that hits both leaves nothing between them', () => {
  const base = boot([
    [0, 1000],
    [3, 800],
    [4, 800],
    [7, 1200],
  ]);
  const head = boot([
    [1, 950],
    [2, 760],
    [5, 760],
    [6, 1140],
  ]);
  const [differences = []] = differencesOf(neighboursOf([base], [head]), 'throughput');
  for (const difference of differences) assert.ok(Math.abs(difference - Math.log(0.95)) < 1e-12);
  assert.equal(differences.length, 4);
});
