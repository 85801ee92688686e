/** Streams of base and head: the built-in server that streams, and copies of it that begin later, buffer, or do not change. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGES, judgeChange } from '../../../bench/stream-changes.js';

for (const change of CHANGES)
  test(`${change.route}: a server that ${change.what} is ${change.verdict}`, async () => {
    // Five rounds beside other tests: wide enough to be the same, and too narrow for a fifth.
    const { verdict, decisive, metrics } = await judgeChange(change, ['--margin', '15%']);
    assert.deepEqual([verdict, decisive], [change.verdict, change.decisive], JSON.stringify(metrics));
    const throughput = metrics.find(({ metric }) => metric === 'throughput');
    assert.notEqual(throughput?.verdict, 'improved');
  });
