/** What windows say beyond their figures, and that ordinary servers say nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRounds } from '../../bench/verdicts/recordings.js';
import { risingCost, waitsMostly } from '../../scripts/model/window-trends.js';

/**
 * @param {object[]} windows of each start
 * @param {number} [starts]
 */
const startsOf = (windows, starts = 4) =>
  [...Array(starts).keys()].map((round) => ({
    ...{ round, failure: null },
    windows: windows.map((window, at) => ({ at, seconds: 1, requests: 1000, ...window })),
  }));

/**
 * @param {number} serverSeconds
 * @param {object} [more]
 */
const waiting = (serverSeconds, more = {}) =>
  startsOf([{ requests: 230, latencyMs: { avg: 43 }, cpu: { serverSeconds, clientSeconds: 0.02 }, ...more }]);

test('an answer that takes 43 ms and 0.2 ms of CPU mostly waits', () => {
  const waits = waitsMostly(waiting(0.046), {});
  assert.deepEqual([waits?.answerSeconds.toFixed(4), waits?.cpuSeconds.toFixed(4)], ['0.0430', '0.0002']);
});

test('an answer that works, waits briefly or waits for other programs does not mostly wait', () => {
  assert.equal(waitsMostly(waiting(0.9), {}), undefined);
  assert.equal(waitsMostly(waiting(0.046, { latencyMs: { avg: 2 } }), {}), undefined);
  const cpu = { serverSeconds: 0.046, clientSeconds: 0.02, servicesSeconds: 0.8 };
  assert.equal(waitsMostly(waiting(0, { cpu }), {}), undefined, 'a database works');
  assert.equal(
    waitsMostly(waiting(0, { cpu: { ...cpu, servicesSeconds: 0, foreignShare: 0.3 } }), {}),
    undefined,
  );
  assert.equal(waitsMostly(waiting(0.046, { errors: { stalls: 3 } }), {}), undefined);
  assert.equal(waitsMostly(waiting(0.046), { rate: 230 }), undefined);
});

const cost = (/** @type {number} */ serverSeconds) => ({ cpu: { serverSeconds } });

test('a cost that rises from window to window in each start is told with its size', () => {
  const rising = risingCost(startsOf([cost(0.1), cost(0.112), cost(0.126)]));
  assert.deepEqual([rising?.pct.toFixed(1), rising?.starts], ['12.2', 4]);
});

test('a cost that rises in some starts, a little, or in too few says nothing', () => {
  const starts = startsOf([cost(0.1), cost(0.112)]);
  assert.equal(risingCost([...starts, ...startsOf([cost(0.112), cost(0.11)], 1)]), undefined);
  assert.equal(risingCost(startsOf([cost(0.1), cost(0.102)])), undefined);
  assert.equal(risingCost(starts.slice(0, 3)), undefined);
  assert.equal(risingCost(startsOf([cost(0.1)])), undefined);
});

for (const name of ['alternating', 'interleaved', 'slices'])
  test(`of recorded servers whose cost does not rise, no row of starts says so: ${name}`, () => {
    for (const [pool, rounds] of readRounds(name))
      for (const side of /** @type {const} */ (['base', 'head'])) {
        const starts = rounds.map((round) => round[side]);
        for (let first = 0; first + 4 <= starts.length; first++)
          assert.equal(risingCost(starts.slice(first, first + 4)), undefined, `${pool}, from ${first}`);
      }
  });
