/**
 * The first minutes with repositories of many shapes: no step needs an edit. What was measured decides
 * nothing here. The quick ones; with `scripts/test --all`, all.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstMinutes, SHAPES } from '../../bench/first-minutes.js';
import { scratchFolder } from '../scratch.js';

const QUICK = '--connections 4 --rate 100 --duration 1s --warmup 0 --rounds 1 --reference off'.split(' ');

const chosen = Object.entries(SHAPES).filter(([, { quick }]) => quick || process.env.PERF_TEST_ALL);
for (const [name, { shape }] of chosen) {
  test(`the first minutes need no edit: ${shape} (${name})`, async () => {
    const scratch = scratchFolder();
    const steps = await firstMinutes(name, {
      scratch,
      run: QUICK,
      against: [...QUICK, '--fail-on', 'never'],
    });
    assert.deepEqual(
      steps.map(({ step, code }) => [step, code]),
      ['init', 'doctor', 'run', 'against'].map((step) => [step, 0]),
      JSON.stringify(steps, null, 2),
    );
  });
}
