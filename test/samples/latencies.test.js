import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyMsOf, mergeLatencies } from '../../scripts/samples/latencies.js';
import { summarize } from '../../scripts/samples/summary.js';
import { LOAD, trial } from '../store/runs.js';

/** A hundred requests of 1 to 100 ms, and a hundred of 1 ms. */
const SLOW = {
  us: Array.from({ length: 100 }, (_, place) => (place + 1) * 1000),
  counts: Array(100).fill(1),
};
const FAST = { us: [1000], counts: [100] };
/** @param {(import('../../scripts/types.js').Latencies | undefined)[]} all */
const merged = (...all) => /** @type {import('../../scripts/types.js').Latencies} */ (mergeLatencies(all));

test('a percentile is what so many percent of the requests did not exceed', () => {
  const { p2_5, p50, p95, p99, p99_9, stdev } = latencyMsOf(SLOW);
  assert.deepEqual([p2_5, p50, p95, p99, p99_9], [3, 50, 95, 99, 100]);
  assert.equal(stdev?.toFixed(3), '28.866');
  assert.deepEqual(latencyMsOf(FAST).p99_9, 1);
});

test('merged, the slowest hundredth may lie in one window', () => {
  const { p50, p99 } = latencyMsOf(merged(SLOW, FAST));
  // 101 of 200 requests took 1 ms; the 198th of them 98 ms. The mean of the two p99 were 50 ms.
  assert.deepEqual([p50, p99], [1, 98]);
});

test('three digits are kept, in ascending order; where one is missing there is nothing', () => {
  assert.deepEqual(merged({ us: [123_456, 123_489], counts: [2, 3] }, { us: [7, 9], counts: [1, 0] }), {
    us: [7, 123_000],
    counts: [1, 5],
  });
  assert.equal(mergeLatencies([SLOW, undefined]), undefined);
  assert.equal(mergeLatencies([]), undefined);
});

test('the summary tells percentiles of all requests, extremes of all windows and the mean of all requests', () => {
  const slow = trial({ latencies: SLOW }, { requests: 100, latencyMs: { avg: 50.5, p99: 99, max: 100.2 } });
  const fast = trial({ latencies: FAST }, { requests: 100, latencyMs: { avg: 1, p99: 1, max: 1 } });
  const found = summarize([slow, fast], { load: LOAD });
  assert.deepEqual(
    [found?.latencyMs?.p99, found?.latencyMs?.max, found?.latencyMs?.avg, found?.meanPercentiles],
    [98, 100.2, 25.75, undefined],
  );
});

test('where a start has percentiles only, they are averaged and named so; one window needs no averaging', () => {
  const slow = trial({ latencies: SLOW }, { requests: 100, latencyMs: { p99: 99 } });
  const old = trial({}, { requests: 100, latencyMs: { p99: 1 } });
  const found = summarize([slow, old], { load: LOAD });
  const { p99, ...others } = found?.latencyMs ?? {};
  assert.deepEqual([p99?.toFixed(6), others, found?.meanPercentiles], [Math.sqrt(99).toFixed(6), {}, true]);
  assert.equal(summarize([old], { load: LOAD })?.meanPercentiles, undefined);
});
