import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedCases, FALSE_ALARMS, spending } from '../../scripts/judge/looks.js';

test('all looks together spend the whole risk and no more', () => {
  for (const shares of [[1], [0.25, 0.5, 0.75, 1], [0.3, 0.31, 0.9, 1], [0.5, 1, 1]]) {
    const riskOf = spending();
    const spent = shares.map(riskOf);
    assert.ok(
      spent.every((alpha) => alpha >= 0),
      `${shares}`,
    );
    const sum = spent.reduce((total, alpha) => total + alpha, 0);
    assert.ok(Math.abs(sum - FALSE_ALARMS) < 1e-12, `${shares}: ${sum}`);
  }
});

test('later looks may spend more, so what a look decided stays decided', () => {
  const riskOf = spending();
  const spent = [0.25, 0.5, 0.75, 1].map(riskOf);
  assert.deepEqual(
    [...spent].sort((a, b) => a - b),
    spent,
  );
});

test('a look never gives back what an earlier one spent', () => {
  const riskOf = spending();
  riskOf(0.9);
  assert.equal(riskOf(0.5), 0);
  assert.ok(Math.abs(riskOf(1) - FALSE_ALARMS * (1 - 0.81)) < 1e-12);
});

test('decided is what has a verdict, or no other side to get one from', () => {
  const cases = /** @type {import('../../scripts/types.js').CaseComparison[]} */ ([
    { id: 'slow', verdict: 'regressed', metrics: [] },
    { id: 'even', verdict: 'same', metrics: [] },
    { id: 'broken', verdict: 'failed', metrics: [] },
    { id: 'open', verdict: 'unsure', metrics: [] },
    { id: 'new', verdict: 'unsure', metrics: [], only: 'head' },
  ]);
  const comparison = /** @type {import('../../scripts/types.js').Comparison} */ ({ cases });
  assert.deepEqual([...decidedCases(comparison)].sort(), ['broken', 'even', 'new', 'slow']);
});
