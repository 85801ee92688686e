/** Warnings that follow from trials. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialWarnings } from '../../scripts/run/record/warnings.js';
import { sampleRun } from '../report/sample.js';

const { cases } = sampleRun();

/**
 * @param {typeof cases} measured
 * @param {import('../../scripts/types.js').Trial[][][]} trials by side and case
 */
function warningsOf(measured, trials) {
  const sides = trials.map((_, place) => ({ label: `${place}`, servers: {} }));
  const all = measured.flatMap((planned, index) =>
    sides.map(
      (side, place) => /** @type {const} */ ([{ side, case: planned }, trials[place]?.[index] ?? []]),
    ),
  );
  return trialWarnings({ sides }, new Map(all));
}

/** @param {(string[] | undefined)[]} windows other busy programs in each */
const trial = (windows) => ({
  round: 0,
  failure: null,
  windows: windows.map((others) => ({ seconds: 1, requests: 1, ...(others && { others }) })),
});

test('other programs are reported once, the most frequent first', () => {
  const warnings = warningsOf(cases, [
    [[trial([undefined, ['cc1', 'make']])], [trial([['node', 'cc1', 'sh']])]],
    [[trial([['cc1', 'node', 'make']])]],
  ]);
  assert.deepEqual(warnings, [
    {
      code: 'machine-shared',
      shared: 3,
      windows: 4,
      programs: ['cc1', 'make', 'node'],
    },
  ]);
});

test('of an undisturbed run nothing is reported', () => {
  assert.deepEqual(warningsOf(cases, [[[trial([undefined])], [trial([undefined])]]]), []);
});

test('a start that was measured before it was warm is reported with its case', () => {
  const jvm = (/** @type {number} */ compileMs) => ({ metaspaceBytes: 1, threads: 1, classes: 1, compileMs });
  const start = (/** @type {object} */ more, compileMs = 0) => ({
    round: 0,
    failure: null,
    windows: [{ seconds: 1, requests: 1, jvm: jvm(compileMs) }],
    ...more,
  });
  const level = (/** @type {boolean} */ is) => ({ warmup: { level: is, windows: [] } });
  const warnings = warningsOf(cases.slice(0, 2), [
    [
      [start(level(false)), start(level(true), 900), start({}, 900), start({}, 50)],
      [start({}), trial([undefined])],
    ],
  ]);
  assert.deepEqual(warnings, [{ code: 'not-warm', case: cases[0]?.id, starts: 2, of: 4 }]);
});

/**
 * @param {object} load
 * @param {object} window
 */
function codesOf(load, window) {
  const measured = cases.slice(0, 1).map((each) => ({ ...each, load: { ...each.load, ...load } }));
  const start = (/** @type {number} */ round) => ({
    round,
    failure: null,
    windows: [{ seconds: 1, requests: 400, ...window }],
  });
  return warningsOf(measured, [[[start(0)]], [[start(1)]]]).map(({ case: _, ...warning }) => warning);
}

test('latencies that a tool does not know are named once, not for each side', () => {
  assert.deepEqual(
    codesOf({ tool: 'wrk', connections: 10, pipelining: 4 }, { latencyMs: { min: 500, max: 520 } }),
    [{ code: 'no-latencies', tool: 'wrk' }],
  );
});

test('requests under way when a window ended are named with its answers', () => {
  const [warning] = codesOf({ windows: 1 }, { requests: 5, unanswered: 95 });
  assert.deepEqual(warning, { code: 'unanswered', answers: 5, unanswered: 95, isBase: true });
});

test('an idle server is named, unless its answers are streams', () => {
  const cpu = { serverSeconds: 0.05, clientSeconds: 0.02 };
  const [warning] = codesOf({ connections: 20 }, { latencyMs: { avg: 50 }, cpu });
  assert.equal(warning?.code, 'mostly-waits');
});

test('a route that shares its start is warned about like any other, and a control is not', () => {
  const shared = [{}, { role: /** @type {const} */ ('control') }].map((more, place) => {
    const planned = /** @type {any} */ (cases[place]);
    return {
      ...planned,
      load: { ...planned.load, connections: 1, pipelining: 4 },
      sharedSeconds: 0.25,
      ...more,
    };
  });
  const windows = [{ seconds: 1, requests: 1, latencyMs: { min: 500 } }];
  const trials = shared.map(() => [{ ...trial([]), windows }]);
  assert.deepEqual(
    warningsOf(shared, [trials]).map((/** @type {any} */ warning) => [warning.code, warning.case]),
    [['no-latencies', cases[0]?.id]],
  );
});
