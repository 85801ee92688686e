/** Limits: passed, failed or unsure by the interval over starts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeLimits } from '../../scripts/judge/judge-limits.js';
import { caseOf, runOf, seededNormal } from './runs.js';

const RATE = 500;

/**
 * @param {number[]} ms the p99 of each round
 * @param {number} [answered] requests per second
 * @returns {any} a run of one case
 */
function slow(ms, answered = RATE) {
  const trials = ms.map((p99, round) => ({
    round,
    failure: null,
    windows: [
      { seconds: 2, requests: 2 * answered, errors: { timeouts: 0 }, latencyMs: { p50: p99 / 2, p99 } },
    ],
  }));
  const measured = caseOf('shop', trials);
  return runOf([{ ...measured, load: { ...measured.load, rate: RATE } }]);
}

/**
 * @param {any} run
 * @param {Partial<import('../../scripts/types.js').LimitRule>} [rule]
 */
const judged = (run, rule) => judgeLimits(run, [{ metric: 'p99', bound: 50, rate: RATE, ...rule }])[0];

test('an interval within the limit passes, one beyond it fails, and one around it is unsure', () => {
  assert.equal(judged(slow([30.1, 30.4, 29.8]))?.verdict, 'passes');
  assert.equal(judged(slow([80.1, 80.4, 79.8]))?.verdict, 'fails');
  const open = judged(slow([49.1, 50.4, 49.8]));
  assert.deepEqual([open?.verdict, open?.why], ['unsure', { code: 'open' }]);
  assert.ok(Math.abs((open?.value ?? 0) - 49.8) < 0.1);
  assert.ok(open?.interval && open.interval[0] < 50 && open.interval[1] > 50);
});

test('a throughput must not be below its limit', () => {
  const rule = { metric: 'throughput', bound: 400 };
  assert.equal(judged(slow([30, 30, 30]), rule)?.verdict, 'passes');
  assert.equal(judged(slow([30, 30, 30], 250), rule)?.verdict, 'fails');
});

test('a slow moment of the machine fails nothing, and makes nothing that passed unsure', () => {
  const seen = judged(slow([69.8, 70, 70.2]));
  assert.deepEqual([seen?.verdict, seen?.why], ['unsure', { code: 'open' }]);
  assert.equal(judged(slow([48.9, 49, 49.1]))?.verdict, 'passes');
  assert.equal(judged(slow([30, 30, 30], 300), { metric: 'throughput', bound: 400 })?.verdict, 'unsure');
});

test('percentiles are of all requests of a round, where the tool gives every latency', () => {
  const run = slow([30, 30, 30]);
  for (const trial of run.cases[0].trials) trial.latencies = { us: [30_000, 80_000], counts: [95, 5] };
  assert.equal(judged(run)?.verdict, 'fails');
});

test('a single error breaks a limit of none, however many rounds had none', () => {
  const run = slow([30, 30, 30, 30]);
  const rule = { metric: 'errors', bound: 0 };
  assert.equal(judged(run, rule)?.verdict, 'passes');
  run.cases[0].trials[2].windows[0].errors = { timeouts: 1 };
  assert.equal(judged(run, rule)?.verdict, 'fails');
  run.cases[0].trials = [run.cases[0].trials[2]];
  assert.equal(judged(run, rule)?.verdict, 'fails');
});

test('one start, no start, and a rate that was not held leave it unsure', () => {
  assert.deepEqual(judged(slow([30]))?.why, { code: 'one-start' });
  assert.equal(judged(slow([30]))?.interval, undefined);
  assert.deepEqual(judged(slow([]))?.why, { code: 'not-measured' });
  assert.deepEqual(judged(slow([30, 30, 30], 200))?.why, { code: 'rate-missed', asked: 500, achieved: 200 });
  assert.equal(judged(slow([90, 90, 90], 200))?.verdict, 'fails');
});

test('what a load tool at its limit measures does not fail', () => {
  const run = slow([90, 90, 90]);
  run.cases[0].summary = { clientBound: true };
  assert.deepEqual(judged(run)?.why, { code: 'client-bound' });
});

test('what other programs slow down does not fail, but uses no more memory for it', () => {
  const run = slow([90, 90, 90]);
  for (const { windows } of run.cases[0].trials) windows[0].cpu = { foreignShare: 0.3, stealShare: 0 };
  const [disturbed] = judgeLimits(run, [{ metric: 'p99', bound: 50, rate: RATE }]);
  assert.deepEqual([disturbed?.verdict, disturbed?.why], ['unsure', { code: 'disturbed' }]);
  assert.equal(judged(run, { bound: 200 })?.verdict, 'passes');
  assert.equal(judged(run, { bound: 30 })?.verdict, 'fails');
  for (const { windows } of run.cases[0].trials) windows[0].rssBytes = 3e8;
  assert.equal(judged(run, { metric: 'memory', bound: 2e8 })?.verdict, 'fails');
});

test('no error among few requests does not show that fewer than one in a thousand fail', () => {
  const rule = { metric: 'errors', bound: 0.0001 };
  assert.equal(judged(slow([30, 30, 30]), rule)?.verdict, 'unsure');
  assert.equal(judged(slow([30, 30, 30]), { ...rule, bound: 0.01 })?.verdict, 'passes');
  assert.equal(judged(slow([30, 30, 30]), { ...rule, bound: 0 })?.verdict, 'passes');
  const failing = slow([30, 30, 30]);
  for (const { windows } of failing.cases[0].trials) windows[0].errors.timeouts = 100;
  assert.equal(judged(failing, rule)?.verdict, 'fails');
});

test('a limit applies to the cases that it names, and to the reference only by name', () => {
  const run = runOf([caseOf('a', []), caseOf('b', []), caseOf('ref', [], { reference: true })]);
  const ids = (/** @type {object} */ rule) =>
    judgeLimits(run, [{ metric: 'memory', bound: 1, ...rule }]).map((limit) => limit.case);
  assert.deepEqual(ids({}), ['a', 'b']);
  assert.deepEqual(ids({ server: 'a' }), ['a']);
  assert.deepEqual(ids({ server: 'ref' }), ['ref']);
  assert.deepEqual(ids({ route: '/other' }), []);
  assert.deepEqual(ids({ rate: 500 }), []);
});

test('a server at 90 % of its limit does not fail in 2,000 runs, even where the machine is slow in one of ten', () => {
  const random = seededNormal(7);
  let failed = 0;
  for (let number = 0; number < 2000; number++) {
    const moment = number % 10 === 0 ? 1.4 : 1;
    const ms = Array.from({ length: 3 }, () => 45 * moment * Math.exp(0.04 * random()));
    failed += judged(slow(ms))?.verdict === 'fails' ? 1 : 0;
  }
  assert.equal(failed, 0);
});
