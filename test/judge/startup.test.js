/** Startup: judged from pairs of starts, beside the verdict on speed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { outcomeOf } from '../../scripts/judge/gate.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** As two starts of one Express differ, on one core and on any. */
const NOISE = 0.014;
const NOISE_FREE = 0.16;
/** Starts in each of four rounds that share a core. */
const STARTS = 2;

/**
 * @param {number} slower the share that the head's starts cost more
 * @param {() => number} random
 */
function compared(slower, random) {
  const startOf = (/** @type {number} */ more, /** @type {number} */ noise) => {
    const cpuMs = 130 * (1 + more) * Math.exp(noise * random());
    return { ms: 1.4 * cpuMs * Math.exp(0.1 * random()), cpuMs, rssBytes: 6e7 };
  };
  const sharing = (/** @type {number} */ more) => ({
    ...startOf(more, NOISE),
    ms: 500,
    sharesCore: /** @type {const} */ (true),
  });
  const [base, head] = [0, slower].map((more) => {
    const trials = startsOf({ level: 10_000, noise: 0.004, starts: 4, random }).map((trial) => ({
      ...trial,
      startups: [startOf(more, NOISE_FREE), ...Array.from({ length: STARTS }, () => sharing(more))],
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
  assert.ok(found(0) <= 3);
});

test('starts on one core show CPU time alone, and the others the time until ready', () => {
  const { only } = compared(0.2, seededNormal(6));
  const time = only.metrics.find(({ metric }) => metric === 'startupTime');
  assert.ok((time?.base ?? 0) < 300);
});

test('a start that got slower leaves the verdict on speed alone, unless a gate asks for it', () => {
  const { comparison, only, cpu } = compared(0.2, seededNormal(5));
  assert.equal(cpu?.verdict, 'regressed');
  assert.ok(Math.abs((cpu?.effectPct ?? 0) - 20) < 3);
  assert.equal(only.verdict, 'same');
  assert.deepEqual(comparison.promise?.outside, []);
  const results = { run: { cases: [] }, comparison };
  assert.equal(outcomeOf(results, { failOn: 'regressed' }), 0);
  assert.equal(outcomeOf(results, { failOn: 'regressed', gates: { startupCpu: 'regressed' } }), 1);
});

test('a start that takes two to seven times as long is slower, though only one round was quick enough to share a core', () => {
  const random = seededNormal(7);
  const [base, head] = [
    [447, 512, 661, 583, 470, 620, 545],
    [946, 2710, 1480, 3079, 1120, 1890, 2250],
  ].map((times, side) => {
    const trials = startsOf({ level: 10_000, noise: 0.004, starts: times.length, random }).map(
      (trial, round) => {
        const startOf = (/** @type {number} */ ms) => ({ ms, cpuMs: 0.8 * ms, rssBytes: 6e7 });
        const shared = [540, 530].map((ms, place) => ({
          ...startOf(side === 1 ? ms * (3.3 + 0.06 * place) : ms),
          sharesCore: /** @type {const} */ (true),
        }));
        return { ...trial, startups: [startOf(times[round] ?? 0), ...(round === 0 ? shared : [])] };
      },
    );
    return runOf([caseOf('app', trials)]);
  });
  assert.ok(base && head);
  const metrics = compare(base, head).cases[0]?.metrics ?? [];
  const verdictOf = (/** @type {string} */ id) => metrics.find(({ metric }) => metric === id)?.verdict;
  assert.equal(verdictOf('startupCpu'), 'regressed');
  assert.equal(verdictOf('startupTime'), 'regressed');
});
