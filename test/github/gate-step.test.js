/** When a job fails, and its annotations. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisiveOf, worst } from '../../scripts/judge/case-verdict.js';
import { annotate, judgeGate, linesOf, uncomparedIn } from '../../scripts/github/action/gate-step.js';
import { change, sampleComparison, sampleRun, WAITS } from '../report/sample.js';

/**
 * @param {Record<string, object[]>} failures by case
 * @returns {any}
 */
const runWith = (failures = {}) => ({
  ...sampleRun(),
  warnings: [],
  cases: Object.entries({ a: 'App', b: 'Orders', c: 'Search' }).map(([id, serverName]) => ({
    ...sampleRun().cases[0],
    id,
    serverName,
    summary: undefined,
    oneOfRoutes: undefined,
    trials: (failures[id] ?? [null]).map((failure) => ({ failure, windows: [] })),
  })),
});
const LATE = { kind: 'never-ready', message: 'no answer in 2 s' };
const FAILED = runWith({ b: [LATE, LATE] });
const RUN = runWith();

/**
 * @param {string} id
 * @param {string} verdict
 * @param {object} [why]
 */
const caseOf = (id, verdict, why = { code: 'one-start' }) => ({
  id,
  verdict,
  metrics: [{ metric: 'throughput', verdict, why }],
});
/** @type {(cases: any[]) => any} */
const comparisonOf = (cases) => ({
  ...sampleComparison(),
  verdict: worst(cases.flatMap(({ verdict, only }) => (only ? [] : verdict))),
  method: 'side-by-side',
  cases: cases.map((compared) => ({ ...compared, decisive: decisiveOf(compared) })),
  warnings: [],
});

const WORSE = comparisonOf([
  caseOf('a', 'same'),
  {
    id: 'b',
    verdict: 'regressed',
    metrics: [
      change('throughput', 'unsure', [9000, 9100], [1.1, -8, 11], { code: 'open', moreRounds: 4 }),
      WAITS,
      change('memory', 'improved', [9e7, 8e7], [-11, -12, -10]),
    ],
  },
  caseOf('c', 'unsure'),
  { ...caseOf('new', 'unsure'), only: 'head' },
]);

/** @param {ReturnType<typeof judgeGate>} gate */
const shown = ({ level, lines }) => [level, ...lines.map(({ message }) => message)];

const GOOD = comparisonOf([caseOf('a', 'same')]);
const UNSURE = comparisonOf([caseOf('a', 'same'), caseOf('c', 'unsure', { code: 'open', moreRounds: 4 })]);
const CLOSED = { code: 'gate-closed', case: 'a', metric: 'memory', verdict: 'unsure', rule: 'unsure' };
const BASELESS = comparisonOf([WORSE.cases[1], caseOf('c', 'failed', { code: 'failed', ...LATE })]);
const CUT = caseOf('c', 'unsure', { code: 'cancelled', message: 'the budget ended' });
const LOST = { ...RUN, warnings: [{ code: 'shards-missing', shards: [2], of: 2, cases: ['c'] }] };
const SLOWER = 'Orders: p99 latency regressed: 12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)';
const NEVER_READY = 'Orders: never-ready (2 of 2 starts): no answer in 2 s';

/** @type {[title: string, gate: Parameters<typeof judgeGate>, shown: string[]][]} */
const GATES = [
  ['a good run fails nothing and shows nothing', [0, { run: RUN, comparison: GOOD }], ['warning']],
  ['a good run that was not compared shows nothing', [0, { run: RUN }], ['warning']],
  [
    'a closed gate names the cases that got worse and why, and none of the others',
    [1, { run: RUN, comparison: WORSE }],
    ['error', SLOWER],
  ],
  [
    'with fail-on: unsure the gate names the unsure cases',
    [1, { run: RUN, comparison: UNSURE }],
    ['error', 'Search: Throughput unsure: too much noise'],
  ],
  [
    "a gate that a metric's own rule closed says so",
    [1, { run: RUN, comparison: { ...UNSURE, warnings: [CLOSED] } }],
    ['error', 'App: Memory: unsure; its own gate (unsure) fails the check'],
  ],
  [
    'a gate that is not decided lets the check pass, and is a warning',
    [
      0,
      { run: RUN, comparison: { ...GOOD, warnings: [{ ...CLOSED, code: 'gate-open', rule: 'regressed' }] } },
    ],
    ['warning', 'App: Memory: unsure; its own gate (regressed) lets it pass'],
  ],
  [
    'with fail-on: never the regression is still shown',
    [0, { run: RUN, comparison: WORSE }],
    ['warning', SLOWER],
  ],
  ['acceptance opens the gate', [1, { run: RUN, comparison: WORSE }, true], ['warning', SLOWER]],
  [
    'acceptance does not hide failures',
    [1, { run: FAILED, comparison: WORSE }, true],
    ['error', NEVER_READY],
  ],
  [
    'acceptance does not hide a base that failed',
    [1, { run: RUN, comparison: BASELESS }, true],
    ['error', 'Search: the head could not be measured: no answer in 2 s'],
  ],
  [
    'acceptance does not hide a case that the budget ended',
    [1, { run: RUN, comparison: comparisonOf([WORSE.cases[1], CUT]) }, true],
    ['error', 'Search: Throughput unsure: the budget ended'],
  ],
  [
    'acceptance does not hide lost shards',
    [1, { run: LOST, comparison: WORSE }, true],
    ['error', 'shard 2 of 2 left no results; missing: c'],
  ],
  [
    'a case that failed on a side is named',
    [3, { run: RUN, comparison: BASELESS }],
    ['error', 'Search: the head could not be measured: no answer in 2 s'],
  ],
  ['acceptance does not hide that nothing was measured', [3, { run: FAILED }, true], ['error', NEVER_READY]],
  ['each failure is reported once', [3, { run: FAILED }], ['error', NEVER_READY]],
  [
    'a run that ended without a failure fails too',
    [3, { run: RUN }],
    ['error', 'the run ended before everything was measured'],
  ],
];
for (const [title, given, expected] of GATES)
  test(title, () => assert.deepEqual(shown(judgeGate(...given)), expected));

test('every changed metric is named; another machine gives no sizes; other reasons appear unchanged', () => {
  const metrics = [
    change('cpuPerRequest', 'regressed', [20, 30], [50, 40, 60]),
    {
      ...{ metric: 'errors', verdict: 'regressed', base: 0, head: 0.02 },
      why: { code: 'new-errors', kinds: ['timeouts'] },
    },
  ];
  const comparison = comparisonOf([{ id: 'b', verdict: 'regressed', metrics }]);
  const lines = (/** @type {any} */ comparison) =>
    linesOf(RUN, comparison).map(({ title, message }) => `${title} | ${message}`);
  assert.deepEqual(lines(comparison), [
    'Orders needs 50 % more CPU per request | Orders: CPU per request regressed: 20.0 µs → 30.0 µs, +50.0 % (+40.0 to +60.0 %)',
    'Orders needs 50 % more CPU per request | Orders: Errors regressed: 0 % → 2 %',
  ]);
  assert.deepEqual(lines({ ...comparison, method: 'other-machine' }), [
    'Orders needs 50 % more CPU per request | Orders: CPU per request regressed: +50.0 % (+40.0 to +60.0 %)',
    'Orders needs 50 % more CPU per request | Orders: Errors regressed: new kind of error: timeouts',
  ]);
  const wide = change('p99', 'unsure', [1, 0.1], [-90, -99.8, 404], { code: 'one-start' });
  assert.deepEqual(lines(comparisonOf([{ id: 'b', verdict: 'unsure', metrics: [wide] }])), [
    'Unsure about Orders: the measurement cannot rule out a change | Orders: p99 latency inconclusive: one start per side cannot tell a change from chance; measure more rounds',
  ]);
  assert.deepEqual(lines(comparisonOf([{ id: 'b', verdict: 'failed', metrics: [] }])), [
    'Something could not be measured: Orders | Something could not be measured: Orders',
  ]);
});

/** The lines it printed. @type {(act: () => void) => string[]} */
function printed(act) {
  const write = process.stdout.write;
  let text = '';
  process.stdout.write = (/** @type {any} */ chunk) => {
    text += chunk;
    return true;
  };
  try {
    act();
  } finally {
    process.stdout.write = write;
  }
  return text.split('\n').filter(Boolean);
}

test('notices say what was not compared and why', () => {
  const alone = {
    ...RUN,
    warnings: [{ code: 'not-compared', why: 'nothing is stored' }, { code: 'cancelled' }],
  };
  assert.deepEqual(uncomparedIn({ run: alone }), ['not compared: nothing is stored']);
  const compared = { ...WORSE, method: 'stored', warnings: [{ code: 'other-machine' }] };
  const run = { ...RUN, cases: [...RUN.cases, { id: 'new', serverName: 'New', trials: [] }] };
  const [machine, ...others] = uncomparedIn({ run, comparison: compared });
  assert.match(machine ?? '', /another kind of machine/);
  assert.deepEqual(others, ['New: new: nothing to compare with']);
  assert.deepEqual(uncomparedIn({ run: RUN, comparison: WORSE }), []);
});

test('text with line ends and colons stays one workflow command', () => {
  const id = 'a,b::c\n::set-output name=x::y\r100%0A';
  const lines = linesOf(
    RUN,
    comparisonOf([caseOf(id, 'regressed', { code: 'failed', message: 'x\n::error::y' })]),
  );
  const [only = '', ...others] = printed(() => annotate(lines, 'error'));
  assert.deepEqual(others, []);
  const [, properties = '', message = ''] = /^::error (.*?)::(.*)$/.exec(only) ?? [];
  assert.equal(
    properties,
    'title=perf-action%3A a%2Cb%3A%3Ac %3A%3Aset-output name=x%3A%3Ay 100%250A%3A x %3A%3Aerror%3A%3Ay',
  );
  assert.match(message, /^a,b::c ::set-output name=x::y 100%250A: Throughput regressed: x ::error::y$/);
});

test('at most ten annotations appear, the last with the number of the others', () => {
  const many = comparisonOf(Array.from({ length: 30 }, (_, n) => caseOf(`case ${n}`, 'regressed')));
  const lines = printed(() => annotate(linesOf(RUN, many), 'warning'));
  assert.equal(lines.length, 10);
  assert.match(lines[9] ?? '', /^::warning title=perf-action::and 21 more/);
});

test('a limit that fails closes the gate without a comparison, unless it was accepted', () => {
  /** @type {any} */
  const run = {
    ...RUN,
    limits: [
      { case: 'b', metric: 'p99', bound: 50, value: 71, verdict: 'fails' },
      { case: 'a', metric: 'p99', bound: 50, verdict: 'passes' },
    ],
  };
  const { level, lines } = judgeGate(1, { run });
  assert.deepEqual([level, lines.length], ['error', 1]);
  assert.match(lines[0]?.message ?? '', /limit at most 50 ms: fails$/);
  assert.equal(judgeGate(1, { run }, true).level, 'warning');
});
