/**
 * The figure that decided the verdict of a case.
 * @import { CaseComparison, MetricComparison } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisiveChange, decisiveOf, looksSlower } from '../../scripts/judge/case-verdict.js';
import { compare } from '../../scripts/judge/compare.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @type {(metric: string, verdict: MetricComparison['verdict']) => MetricComparison} */
const change = (metric, verdict) => ({ metric, verdict, why: { code: 'inside-margin' } });
const [OPEN, CPU] = [change('throughput', 'unsure'), change('cpuPerRequest', 'unsure')];
const [WAITS, LEANER] = [change('p99', 'regressed'), change('memory', 'improved')];

test('the figure that decided is the first with the verdict of the case, of those that count', () => {
  /** @type {[CaseComparison['verdict'], MetricComparison[], string | undefined][]} */
  const rows = [
    ['regressed', [WAITS, OPEN], 'p99'],
    ['unsure', [WAITS, OPEN], 'throughput'],
    // Memory counts only where it is asked for.
    ['improved', [OPEN, LEANER], 'throughput'],
    ['failed', [WAITS, OPEN], 'throughput'],
    ['failed', [], undefined],
    ['unsure', [OPEN, CPU], 'throughput'],
  ];
  for (const [verdict, metrics, decisive] of rows) assert.equal(decisiveOf({ verdict, metrics }), decisive);
});

test('of two open speeds, the case is called by the one that would settle it', () => {
  /** @type {(metric: string, effectPct: number, errorPct: number, moreRounds: number) => MetricComparison} */
  const open = (metric, effectPct, errorPct, moreRounds) => ({
    ...{ metric, verdict: 'unsure', marginPct: 5, effectPct, errorPct },
    why: { code: 'open', moreRounds },
  });
  /**
   * @type {[what: string, [effectPct: number, errorPct: number, moreRounds: number], [number, number,
   *   number], decisive: string][]}
   */
  const rows = [
    ['the more precise decides alone', [-1, 3, 150], [1, 1, 1], 'cpuPerRequest'],
    ['`same` takes both', [-1, 1.2, 9], [1, 1, 6], 'throughput'],
    ['one change is enough', [-5, 1.2, 9], [6, 1, 6], 'cpuPerRequest'],
  ];
  for (const [what, throughput, cpu, expected] of rows) {
    const metrics = [open('throughput', ...throughput), open('cpuPerRequest', ...cpu)];
    assert.equal(decisiveOf({ verdict: 'unsure', metrics }), expected, what);
  }
});

test('a comparison says of each case which figure decided it', () => {
  const random = seededNormal(1);
  const sideOf = (/** @type {number} */ p99) =>
    startsOf({ level: 50_000, noise: 0.01, starts: 6, random, more: { latencyMs: { p50: 2, p99 } } });
  const base = runOf([caseOf('api', sideOf(12)), caseOf('gone', sideOf(12))]);
  const head = runOf([caseOf('api', sideOf(35)), caseOf('new', sideOf(12))]);
  const { cases } = compare(base, head);
  assert.deepEqual(
    cases.map((compared) => [compared.id, compared.verdict, decisiveChange(compared)?.metric]),
    [
      ['api', 'regressed', 'p99'],
      ['new', 'unsure', undefined],
      ['gone', 'unsure', undefined],
    ],
  );
});

test('a case looks slower once a speed regressed, or is open and far outside of the margin', () => {
  /** @type {(id: string, pct: number, verdict?: MetricComparison['verdict'], of?: object) => boolean} */
  const looks = (metric, effectPct, verdict = 'unsure', of = {}) =>
    looksSlower({
      metrics: [
        { metric, effectPct, verdict, marginPct: 5, why: { code: 'open', moreRounds: 9, rounds: 4 } },
      ],
      ...of,
    });
  const control = { role: 'control' };
  assert.deepEqual(
    [control, { ...control, promoted: true }].map((of) => looks('cpuPerRequest', 12, 'unsure', of)),
    [false, true],
    'a control once it is measured in full',
  );
  assert.deepEqual(
    [looks('cpuPerRequest', 12), looks('throughput', -12), looks('throughput', -2, 'regressed')],
    [true, true, true],
  );
  assert.deepEqual(
    [looks('cpuPerRequest', -12), looks('cpuPerRequest', 8), looks('p99', 40, 'regressed')],
    [false, false, false],
    'faster, near the margin, or nothing that a profile of the CPU explains',
  );
});
