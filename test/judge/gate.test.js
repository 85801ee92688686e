/** @import { CaseComparison, Comparison, Config, MetricComparison } from '../../scripts/types.js' */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { failedCases, gateNotes, outcomeOf } from '../../scripts/judge/gate.js';

const OPEN = { code: /** @type {const} */ ('open'), moreRounds: 9 };

/**
 * @param {string} metric
 * @param {MetricComparison['verdict']} verdict
 * @param {MetricComparison['why']} [why]
 * @returns {MetricComparison}
 */
const change = (metric, verdict, why = OPEN) => ({
  ...{ metric, verdict, why },
  ciPct: [-62, 215],
  effectPct: 40,
});
/**
 * @param {...MetricComparison} others beside the speed, which improved
 * @returns {Comparison}
 */
const faster = (...others) =>
  /** @type {Comparison} */ ({
    cases: [
      /** @type {CaseComparison} */ ({
        id: 'api',
        verdict: 'improved',
        metrics: [change('cpuPerRequest', 'improved'), ...others],
      }),
    ],
  });
const START = faster(change('startupCpu', 'unsure'));
/** @type {Config['gates']} */
const GATES = { startupCpu: 'regressed' };
/** Of which nothing failed. */
const RUN = { cases: [] };

test('a gate that is not decided is noted; it fails the check where what is unsure does', () => {
  const note = { case: 'api', metric: 'startupCpu', verdict: 'unsure' };
  assert.deepEqual(gateNotes(START, { failOn: 'regressed', gates: GATES }), [
    { ...note, code: 'gate-open', rule: 'regressed' },
  ]);
  assert.equal(outcomeOf({ run: RUN, comparison: START }, { failOn: 'regressed', gates: GATES }), 0);
  for (const rules of [
    { failOn: /** @type {const} */ ('unsure'), gates: GATES },
    {
      failOn: /** @type {const} */ ('regressed'),
      gates: { startupCpu: /** @type {const} */ ('unsure') },
    },
  ]) {
    assert.deepEqual(gateNotes(START, rules), [{ ...note, code: 'gate-closed', rule: 'unsure' }]);
    assert.deepEqual(failedCases(START, rules), ['api']);
  }
  const none = {
    failOn: /** @type {const} */ ('unsure'),
    gates: { startupCpu: /** @type {const} */ ('never') },
  };
  assert.deepEqual(gateNotes(START, none), []);
  assert.equal(outcomeOf({ run: RUN, comparison: START }, none), 0);
});

test('a gate of a figure that was not measured is not decided either', () => {
  /** @type {Config['gates']} */
  const gates = { eventLoopP99: 'unsure', answer: 'unsure' };
  assert.deepEqual(gateNotes(START, { failOn: 'regressed', gates }), [
    { code: 'gate-closed', metric: 'eventLoopP99', verdict: 'unsure', rule: 'unsure' },
  ]);
  assert.equal(outcomeOf({ run: RUN, comparison: START }, { failOn: 'regressed', gates }), 1);
});

test('a case is measured on while rounds may decide a figure with a gate', () => {
  /**
   * @param {MetricComparison} open
   * @param {Config['gates']} [gates]
   */
  const isDecided = (open, gates) => decidedCases(faster(open), gates).size === 1;
  const memory = change('memory', 'unsure');
  assert.ok(isDecided(memory));
  assert.ok(isDecided(memory, { memory: 'never' }));
  assert.ok(!isDecided(memory, { memory: 'regressed' }));
  assert.ok(!isDecided(change('startupTime', 'unsure'), { startupTime: 'regressed' }));
  assert.ok(isDecided(change('memory', 'same'), { memory: 'regressed' }));
  assert.ok(isDecided(change('startupCpu', 'unsure'), GATES), 'pairs of starts show it, after the rounds');
  const coarse = change('p50', 'unsure', { code: 'too-coarse', stepPct: 20 });
  assert.ok(isDecided(coarse, { p50: 'regressed' }), 'no round decides it');
});

test('a limit that fails closes the gate, an unsure one only where that is asked, and none where nobody wants it', () => {
  const codes = (/** @type {any} */ limits) =>
    /** @type {const} */ (['regressed', 'unsure', 'never']).map((failOn) =>
      outcomeOf({ run: { ...RUN, limits } }, { failOn }),
    );
  assert.deepEqual(codes([{ verdict: 'fails' }]), [1, 1, 0]);
  assert.deepEqual(codes([{ verdict: 'passes' }, { verdict: 'unsure' }]), [0, 1, 0]);
  assert.deepEqual(codes([{ verdict: 'passes' }]), [0, 0, 0]);
});

const GOOD = { round: 0, failure: null, windows: [] };
const LATE = { round: 0, failure: { kind: 'never-ready', message: 'no answer' }, windows: [] };
/** @param {...object} trials */
const measured = (...trials) => ({ cases: [/** @type {any} */ ({ id: 'api', trials })] });
/** @param {object} changes of its case */
const comparing = (changes) => /** @type {any} */ ({ cases: [{ ...START.cases[0], ...changes }] });
const RIGHT = measured(GOOD, GOOD, GOOD);

/** @type {[title: string, results: Parameters<typeof outcomeOf>[0]][]} */
const UNMEASURED = [
  ['a start that failed, of a run without a base', { run: measured(GOOD, GOOD, LATE) }],
  ['a case without a start', { run: measured() }],
  ['half of the starts, of a comparison', { run: measured(GOOD, LATE), comparison: START }],
  ['a side of a case', { run: RIGHT, comparison: comparing({ verdict: 'failed' }) }],
  ['a new case', { run: RIGHT, comparison: comparing({ verdict: 'failed', only: 'head' }) }],
  [
    'a case that the budget ended',
    { run: RIGHT, comparison: comparing({ metrics: [{ why: { code: 'cancelled' } }], verdict: 'unsure' }) },
  ],
  ...['cancelled', 'shards-missing', 'machines-missing', 'never-started'].map(
    (code) =>
      /** @type {any} */ ([
        `what ${code} says`,
        { run: { ...RIGHT, warnings: [{ code }] }, comparison: START },
      ]),
  ),
];
for (const [title, results] of UNMEASURED)
  test(`${title} was not measured: 3, and 1 where a gate fails, too`, () => {
    assert.equal(outcomeOf(results, { failOn: 'regressed' }), 3);
    const limits = [/** @type {any} */ ({ verdict: 'fails' })];
    assert.equal(outcomeOf({ ...results, run: { ...results.run, limits } }, { failOn: 'regressed' }), 1);
  });

test('one failed start of three takes nothing from a comparison', () => {
  assert.equal(outcomeOf({ run: measured(GOOD, GOOD, LATE), comparison: START }, { failOn: 'regressed' }), 0);
});
