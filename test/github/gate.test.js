/** When a job fails, and its annotations. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisiveOf } from '../../scripts/judge/case-verdict.js';
import { annotate, judgeGate, linesOf, uncomparedIn } from '../../scripts/github/action/gate.js';
import { WAITS } from '../report/sample.js';

/** @type {any} */
const FAILED = {
  cases: [
    { id: 'a', serverName: 'App', trials: [{ failure: null }] },
    {
      id: 'b',
      serverName: 'Orders',
      trials: [
        { failure: { kind: 'never-ready', message: 'no answer in 2 s' } },
        { failure: { kind: 'never-ready', message: 'no answer in 2 s' } },
      ],
    },
  ],
};
/** @type {any} */
const RUN = {
  cases: [
    { id: 'a', serverName: 'App', trials: [{ failure: null }] },
    { id: 'b', serverName: 'Orders', trials: [{ failure: null }] },
    { id: 'c', serverName: 'Search', trials: [{ failure: null }] },
  ],
};

/** @param {string} id @param {string} verdict @param {object} [why] */
const caseOf = (id, verdict, why = { code: 'one-start' }) => ({
  id,
  verdict,
  metrics: [{ metric: 'throughput', verdict, why }],
});
/** @param {any[]} cases @param {any[]} [warnings] @returns {any} */
const comparisonOf = (cases, warnings = []) => ({
  method: 'side-by-side',
  cases: cases.map((compared) => ({ ...compared, decisive: decisiveOf(compared, false) })),
  warnings,
});

const WORSE = comparisonOf([
  caseOf('a', 'same'),
  {
    id: 'b',
    verdict: 'regressed',
    metrics: [
      {
        metric: 'throughput',
        verdict: 'unsure',
        base: 9000,
        head: 9100,
        effectPct: 1.1,
        ciPct: [-8, 11],
        why: { code: 'open', moreRounds: 4 },
      },
      WAITS,
      {
        metric: 'memory',
        verdict: 'improved',
        base: 9e7,
        head: 8e7,
        effectPct: -11,
        ciPct: [-12, -10],
        why: { code: 'changed', byPct: -11, halfIntervalPct: 1 },
      },
    ],
  },
  caseOf('c', 'unsure'),
  { ...caseOf('new', 'unsure'), only: 'head' },
]);

/** @param {ReturnType<typeof judgeGate>} gate */
const shown = ({ level, lines }) => [level, ...lines.map(({ message }) => message)];

test('a good run fails nothing and shows nothing', () => {
  assert.deepEqual(shown(judgeGate(0, { run: RUN, comparison: comparisonOf([caseOf('a', 'same')]) })), [
    'warning',
  ]);
  assert.deepEqual(shown(judgeGate(0, { run: RUN })), ['warning']);
});

test('a closed gate names the cases that got worse and why, and none of the others', () => {
  assert.deepEqual(shown(judgeGate(1, { run: RUN, comparison: WORSE })), [
    'error',
    'Orders, p99 latency: 12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)',
  ]);
});

test('with fail-on: unsure the gate names the unsure cases', () => {
  const comparison = comparisonOf([
    caseOf('a', 'same'),
    caseOf('c', 'unsure', { code: 'open', moreRounds: 4 }),
  ]);
  assert.deepEqual(shown(judgeGate(1, { run: RUN, comparison })), [
    'error',
    'Search, throughput unsure: neither within the margin nor clearly different; about 4 more rounds would decide it',
  ]);
});

test("a gate that a metric's own rule closed says so", () => {
  const closed = { code: 'gate-closed', case: 'a', metric: 'memory', verdict: 'unsure', rule: 'unsure' };
  const comparison = comparisonOf([caseOf('a', 'same')], [closed]);
  assert.deepEqual(shown(judgeGate(1, { run: RUN, comparison })), [
    'error',
    'App: Memory: unsure; its own gate (unsure) fails the check',
  ]);
});

test('every changed metric is named; another machine gives no sizes; other reasons appear unchanged', () => {
  const metrics = [
    {
      metric: 'cpuPerRequest',
      verdict: 'regressed',
      base: 20,
      head: 30,
      effectPct: 50,
      ciPct: [40, 60],
      why: { code: 'changed', byPct: 50, halfIntervalPct: 10 },
    },
    {
      metric: 'errors',
      verdict: 'regressed',
      base: 0,
      head: 0.02,
      why: { code: 'new-errors', kinds: ['timeouts'] },
    },
  ];
  const comparison = comparisonOf([{ id: 'b', verdict: 'regressed', metrics }]);
  const lines = (/** @type {any} */ comparison) =>
    linesOf(RUN, comparison).map(({ title, message }) => `${title} | ${message}`);
  assert.deepEqual(lines(comparison), [
    'regressed: Orders | Orders, CPU per request: 20.0 µs → 30.0 µs, +50.0 % (+40.0 to +60.0 %); errors: 0 % → 2 %',
  ]);
  assert.deepEqual(lines({ ...comparison, method: 'other-machine' }), [
    'regressed: Orders | Orders, CPU per request: +50.0 % (+40.0 to +60.0 %); errors: new kind of error: timeouts',
  ]);
  const wide = {
    metric: 'p99',
    verdict: 'unsure',
    effectPct: -90,
    ciPct: [-99.8, 404],
    why: { code: 'one-start' },
  };
  assert.deepEqual(lines(comparisonOf([{ id: 'b', verdict: 'unsure', metrics: [wide] }])), [
    'unsure: Orders | Orders, p99 latency inconclusive: one start per side cannot tell a change from chance; measure more rounds',
  ]);
  assert.deepEqual(lines(comparisonOf([{ id: 'b', verdict: 'failed', metrics: [] }])), [
    'failed: Orders | Orders, failed',
  ]);
});

test('with fail-on: never the regression is still shown', () => {
  assert.deepEqual(shown(judgeGate(0, { run: RUN, comparison: WORSE }))[0], 'warning');
  assert.equal(judgeGate(0, { run: RUN, comparison: WORSE }).lines.length, 1);
});

test('acceptance opens the gate but does not hide failures', () => {
  assert.deepEqual(shown(judgeGate(1, { run: RUN, comparison: WORSE }, true)), [
    'warning',
    'Orders, p99 latency: 12 ms → 35 ms, +191.7 % (+150.0 to +240.0 %)',
  ]);
  assert.deepEqual(shown(judgeGate(1, { run: FAILED, comparison: WORSE }, true)), [
    'error',
    'Orders: never-ready: no answer in 2 s',
  ]);
  assert.deepEqual(shown(judgeGate(3, { run: FAILED }, true))[0], 'error');
});

test('each failure is reported once; a run that ended without one fails too', () => {
  assert.deepEqual(shown(judgeGate(3, { run: FAILED })), ['error', 'Orders: never-ready: no answer in 2 s']);
  assert.deepEqual(shown(judgeGate(3, { run: RUN })), [
    'error',
    'the run ended before everything was measured',
  ]);
});

/** @param {() => void} act @returns {string[]} the lines it printed */
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
    warnings: [{ code: 'not-compared', why: 'nothing is stored' }, { code: 'resumed' }],
  };
  assert.deepEqual(uncomparedIn({ run: alone }), ['not compared: nothing is stored']);
  const compared = { ...WORSE, method: 'stored', warnings: [{ code: 'other-machine' }] };
  const run = { ...RUN, cases: [...RUN.cases, { id: 'new', serverName: 'New', trials: [] }] };
  const [machine, ...others] = uncomparedIn({ run, comparison: compared });
  assert.match(machine ?? '', /another kind of machine/);
  assert.deepEqual(others, ['not compared, since the stored run lacks it: New']);
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
    'title=perf-action%3A regressed%3A a%2Cb%3A%3Ac %3A%3Aset-output name=x%3A%3Ay 100%250A',
  );
  assert.match(message, /^a,b::c ::set-output name=x::y 100%250A, throughput: x ::error::y$/);
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
