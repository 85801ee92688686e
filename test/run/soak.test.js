/** The schedule of a soak. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleOf } from '../../scripts/run/soak.js';

test('a soak lasts as long as it is asked to, with 24 to 60 readings and whole seconds of load', () => {
  for (const seconds of [120, 125, 300, 600, 1000, 3600, 86_400]) {
    const { cycles, loadSeconds, restSeconds } = scheduleOf(seconds);
    assert.ok(2 * cycles >= 24 && 2 * cycles <= 60);
    assert.ok(Math.abs(cycles * (loadSeconds + restSeconds) - seconds) < 1e-6);
    assert.ok(Number.isInteger(loadSeconds) && loadSeconds >= 5);
    assert.ok(restSeconds >= loadSeconds && restSeconds < loadSeconds + 2);
  }
});
