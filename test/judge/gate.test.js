/** @import { CaseComparison, Comparison, Config, MetricComparison } from '../../scripts/types.js' */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { failedCases, gateFails, gateNotes } from '../../scripts/judge/gate.js';

const OPEN = { code: /** @type {const} */ ('open'), moreRounds: 9 };

/** @param {string} metric @param {MetricComparison['verdict']} verdict @param {MetricComparison['why']} [why] @returns {MetricComparison} */
const change = (metric, verdict, why = OPEN) => ({
  ...{ metric, verdict, why },
  ciPct: [-62, 215],
  effectPct: 40,
});
/** @param {...MetricComparison} others beside the speed, which improved @returns {Comparison} */
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

test('a gate that is not decided is noted; it fails the check where what is unsure does', () => {
  const note = { case: 'api', metric: 'startupCpu', verdict: 'unsure' };
  assert.deepEqual(gateNotes(START, { failOn: 'regressed', gates: GATES }), [
    { ...note, code: 'gate-open', rule: 'regressed' },
  ]);
  assert.equal(gateFails(START, { failOn: 'regressed', gates: GATES }), false);
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
  assert.equal(gateFails(START, none), false);
});

test('a gate of a figure that was not measured is not decided either', () => {
  /** @type {Config['gates']} */
  const gates = { eventLoopP99: 'unsure', answer: 'unsure' };
  assert.deepEqual(gateNotes(START, { failOn: 'regressed', gates }), [
    { code: 'gate-closed', metric: 'eventLoopP99', verdict: 'unsure', rule: 'unsure' },
  ]);
  assert.equal(gateFails(START, { failOn: 'regressed', gates }), true);
});

test('a case is measured on while rounds may decide a figure with a gate', () => {
  /** @param {MetricComparison} open @param {Config['gates']} [gates] */
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
