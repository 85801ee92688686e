/**
 * Streams of base and head: the built-in server that streams, and copies of it that begin later, buffer, or
 * do not change.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGES, judgeChange } from '../../../bench/stream-changes.js';

for (const [change, rounds] of /** @type {const} */ ([
  [CHANGES.buffers, '4'],
  [CHANGES.later, '10'],
]))
  test(`${change.route}: a server that ${change.what} is ${change.verdict}`, async () => {
    const { verdict, decisive, metrics } = await judgeChange(change, ['--rounds', rounds]);
    assert.deepEqual([verdict, decisive], [change.verdict, change.decisive], JSON.stringify(metrics));
  });

test('/endless: a server that is unchanged did not change, and only what begins is timed', async () => {
  const { verdict, metrics } = await judgeChange(
    CHANGES.unchangedEndless,
    // Other tests run beside it.
    ['--rounds', '4', '--margin', '15%'],
  );
  assert.ok(['same', 'unsure'].includes(verdict), JSON.stringify(metrics));
  const measured = metrics.map(({ metric }) => metric);
  assert.ok(measured.includes('firstByteP50') && measured.includes('longestGapP50'));
  assert.ok(!measured.includes('p50'), 'no stream ended by itself');
});
