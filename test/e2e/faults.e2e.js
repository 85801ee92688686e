/**
 * Every fault of bench/faults, with `scripts/test --all` also those that take long: what is promised holds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provoke, readRows } from '../../bench/faults.js';

for (const row of (await readRows()).filter(({ slow }) => !slow || process.env.PERF_TEST_ALL))
  test(`${row.fault}: ${row.promised}`, async () => {
    const { holds, ...happened } = await provoke(row);
    assert.ok(holds, JSON.stringify(happened));
  });
