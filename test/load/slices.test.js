/** When each of several started tools sends. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slicesOf } from '../../scripts/load/slices.js';
import { target } from './target.js';

/**
 * @param {import('../../scripts/load/slices.js').Slices} slices
 * @returns {[from: number, to: number][]} in one cycle
 */
const turnsOf = ({ firstMs, secondMs, openMs }) => [
  [firstMs, firstMs + openMs],
  [secondMs, secondMs + openMs],
];

for (const [seconds, answerMs] of /** @type {const} */ ([
  [1, 2],
  [1, 400],
  [10, 500],
]))
  test(`answers of ${answerMs} ms in ${seconds} s: two tools send there and back, one at a time, and none rests for long`, () => {
    const [a, b] = slicesOf(
      [
        { ...target('a'), seconds },
        { ...target('b'), seconds },
      ],
      answerMs,
    );
    assert.ok(a && b);
    const turns = [turnsOf(a)[0], turnsOf(b)[0], turnsOf(b)[1], turnsOf(a)[1]];
    for (const [place, [from = 0] = []] of turns.entries())
      assert.ok(from >= (turns[place - 1]?.[1] ?? 0), String(turns));
    assert.ok((a.lengthMs / a.cycleMs) % 1 < 1e-9 && Math.abs(a.lengthMs - 2000 * seconds) < 1e-6);
    // Node closes connections that are idle for five seconds.
    assert.ok(a.cycleMs <= 4000, String(a.cycleMs));
  });
