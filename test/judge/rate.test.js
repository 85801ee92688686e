/** Base against head at a fixed rate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { trialWarnings } from '../../scripts/run/record/warnings.js';
import { summarize } from '../../scripts/samples/summary.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/**
 * @param {{ p99: number, achieved?: number, random: () => number }} of a side that was asked for 5,000
 *   requests a second
 */
function sideOf({ p99, achieved = 5000, random }) {
  const trials = startsOf({ level: achieved, noise: 0.0005, starts: 20, random }).map((trial) => ({
    ...trial,
    windows: trial.windows.map((window) => ({
      ...window,
      latencyMs: { avg: 1, p50: 0.8 * Math.exp(0.02 * random()), p99: p99 * Math.exp(0.02 * random()) },
    })),
  }));
  const made = caseOf('api', trials);
  const measured = { ...made, load: { ...made.load, tool: 'autocannon', rate: 5000 } };
  const summary = summarize(trials, measured);
  return runOf([{ ...measured, ...(summary && { summary }) }]);
}

test('p99 at the rate decides, and is called so in table and verdict', () => {
  const random = seededNormal(1);
  const [base, head] = [sideOf({ p99: 4, random }), sideOf({ p99: 6, random })];
  const comparison = compare(base, head);
  const [compared] = comparison.cases;
  assert.equal(compared?.verdict, 'regressed');
  assert.deepEqual(compared?.metrics.find(({ metric }) => metric === 'throughput')?.verdict, 'same');
  const report = renderReport(head, { comparison });
  assert.match(report, /- \*\*api\*\*: p99 latency at 5,000 req\/s regressed: 4 ms → 6[.\d]* ms, \+\d/);
  assert.match(report, /, at 5,000 req\/s \(open loop\)\*\*/);
  for (const language of ['en', 'ko'])
    assert.doesNotMatch(renderReport({ ...head, language }, { comparison }), /\b5000\b/);
  assert.match(report, /\| Server +\| Verdict +\|.*\| p99 ms at 5,000 req\/s/);
  assert.match(report, /\| regressed \| p99.latency.at.5,000.req\/s/);
  assert.match(renderTerminal(head, {}), / p99.ms at.5,000.req\/s/);
});

test('a throughput that is as asked decides nothing: a case stays open until its p99 is known', () => {
  const random = seededNormal(2);
  const [base, head] = [sideOf({ p99: 4, random }), sideOf({ p99: 4, random })];
  const same = compare(base, head);
  assert.equal(same.verdict, 'same');
  assert.equal(decidedCases(same).size, 1);
  const few = (/** @type {import('../../scripts/types.js').Run} */ run) => ({
    ...run,
    cases: run.cases.map(({ trials, ...planned }) => ({ ...planned, trials: trials.slice(0, 2) })),
  });
  const early = compare(few(base), few(head));
  assert.deepEqual([early.verdict, decidedCases(early).size], ['unsure', 0]);
});

test('a rate that was not held is reported, and latencies at it are not judged', () => {
  const random = seededNormal(3);
  const [base, head] = [sideOf({ p99: 4, random }), sideOf({ p99: 400, achieved: 4000, random })];
  const comparison = compare(base, head);
  const tails = comparison.cases[0]?.metrics.filter(({ metric }) => /^p\d/.test(metric)) ?? [];
  assert.deepEqual(
    tails.map(({ verdict, why }) => [verdict, why.code]),
    [
      ['unsure', 'rate-missed'],
      ['unsure', 'rate-missed'],
    ],
  );
  assert.equal(comparison.verdict, 'regressed', 'a fifth of the throughput is gone');
  const side = { label: 'head', servers: {} };
  const measured = new Map(head.cases.map(({ trials, ...planned }) => [{ side, case: planned }, trials]));
  const warnings = trialWarnings({ sides: [side] }, measured);
  assert.deepEqual(
    warnings.map((/** @type {any} */ { code, asked }) => [code, asked]),
    [['rate-missed', 5000]],
  );
  const both = compare(sideOf({ p99: 300, achieved: 4000, random }), head);
  assert.match(
    renderReport({ ...head, warnings }, { comparison: both }),
    /p99 latency at 5,000 req\/s unsure: the rate was not held: \d,\d+ of 5,000 req\/s[^]*asked for and [34],\d+ were answered/,
  );
});
