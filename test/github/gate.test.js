/** Whether a job fails, and in which words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../scripts/github/gate.js';

const RUN = /** @type {any} */ ({
  cases: [
    { id: 'a', trials: [{ failure: null }] },
    {
      id: 'b',
      trials: [
        { failure: { kind: 'never-ready', message: 'no answer in 2 s' } },
        { failure: { kind: 'never-ready', message: 'no answer in 2 s' } },
      ],
    },
  ],
});
const COMPARISON = /** @type {any} */ ({
  cases: [
    { id: 'a', verdict: 'same', metrics: [{ verdict: 'same', why: 'inside the margin' }] },
    {
      id: 'b',
      verdict: 'regressed',
      metrics: [
        { verdict: 'same', why: 'inside the margin' },
        { verdict: 'regressed', why: 'throughput fell by 9 %' },
      ],
    },
  ],
});

test('a run that went well fails nothing', () => {
  assert.equal(failureOf(0, { run: RUN, comparison: COMPARISON }), undefined);
});

test('a closed gate names the cases and why', () => {
  assert.equal(failureOf(1, { run: RUN, comparison: COMPARISON }), 'b: regressed; throughput fell by 9 %');
});

test("a closed gate of one metric is named where the case's verdict does not tell", () => {
  const [same] = COMPARISON.cases;
  const message = 'Memory: unsure; its own gate (unsure) fails the check';
  const comparison = /** @type {any} */ ({
    cases: [same],
    warnings: [{ code: 'gate-closed', case: 'a', message }],
  });
  assert.equal(failureOf(1, { run: RUN, comparison }), `a: ${message}`);
});

test('what could not be measured is told once', () => {
  assert.equal(failureOf(3, { run: RUN }), 'b: never-ready: no answer in 2 s');
});

test('a run that left nothing fails all the same', () => {
  assert.equal(failureOf(3, undefined), 'the run ended before everything was measured');
});
