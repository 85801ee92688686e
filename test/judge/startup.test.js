/** Startup: judged from pairs of starts, beside the verdict on speed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { gateFails } from '../../scripts/judge/gate.js';
import { boots, caseOf, runOf, seededNormal } from './runs.js';

/** As two starts of one Express differ. */
const NOISE = 0.022;
/** Starts that count, of four rounds. */
const STARTS = [2, 3, 3, 3];

/** @param {number} slower the share that the head's starts cost more @param {() => number} random */
function compared(slower, random) {
  const [base, head] = [0, slower].map((more) => {
    const trials = boots({ level: 10_000, noise: 0.004, boots: 4, random }).map((trial) => ({
      ...trial,
      startups: Array.from({ length: STARTS[trial.round] ?? 1 }, () => {
        const cpuMs = 130 * (1 + more) * Math.exp(NOISE * random());
        return { ms: 1.4 * cpuMs * Math.exp(0.1 * random()), cpuMs, rssBytes: 6e7 };
      }),
    }));
    return runOf([caseOf('app', trials)]);
  });
  assert.ok(base && head);
  const comparison = compare(base, { ...head, looks: [0.1] });
  const [only] = comparison.cases;
  assert.ok(only);
  return { comparison, only, cpu: only.metrics.find(({ metric }) => metric === 'startupCpu') };
}

test('a start that costs 5 % more is found in nine of ten comparisons of four rounds, and an unchanged one is not', () => {
  const random = seededNormal(4);
  const found = (/** @type {number} */ slower) =>
    Array.from({ length: 200 }, () => compared(slower, random)).filter(({ only }) =>
      only.metrics.some(({ metric, verdict }) => metric.startsWith('startup') && verdict === 'regressed'),
    ).length;
  assert.ok(found(0.05) >= 180);
  assert.ok(found(0) <= 6);
});

test('a start that got slower leaves the verdict on speed alone, unless a gate asks for it', () => {
  const { comparison, only, cpu } = compared(0.2, seededNormal(5));
  assert.equal(cpu?.verdict, 'regressed');
  assert.ok(Math.abs((cpu?.effectPct ?? 0) - 20) < 3);
  assert.equal(only.verdict, 'same');
  assert.deepEqual(comparison.promise?.outside, []);
  assert.equal(gateFails(comparison, { failOn: 'regressed' }), false);
  assert.equal(gateFails(comparison, { failOn: 'regressed', gates: { startupCpu: 'regressed' } }), true);
});
