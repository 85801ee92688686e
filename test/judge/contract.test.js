/** What a comparison promises other programs, whatever statistics are behind it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compare } from '../../scripts/judge/compare.js';
import { gateNotes, outcomeOf } from '../../scripts/judge/gate.js';

/** @typedef {import('../../scripts/types.js').Comparison} Comparison */
/** @typedef {import('../../scripts/types.js').Run} Run */

const [SCHEMA, RUN_SCHEMA] = ['comparison', 'run'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../scripts/store/${name}.schema.json`, import.meta.url), 'utf8')),
);
const STRICT = { strict: true, strictRequired: false, allowUnionTypes: true };
const validate = new Ajv2020({ ...STRICT, schemas: [RUN_SCHEMA] }).compile(SCHEMA);

/** Of which nothing failed. */
const RUN = { cases: [] };

/** A fixed spread of ±1.5 % around the mean, the same on every call. */
const SPREAD = [-1.5, 0.7, -0.4, 1.2, -0.9, 0.3, 1.5, -1.1, 0.1, 0.9];

/**
 * @param {number} rate
 * @param {object} [window]
 */
const startsOf = (rate, window = {}) =>
  SPREAD.map((pct, round) => ({
    round,
    failure: null,
    windows: [{ seconds: 1, requests: Math.round(rate * (1 + pct / 100)), ...window }],
  }));

/**
 * @param {Record<string, any[]>} cases trials by server; "ref" is the reference arm
 * @param {{ session?: string, fingerprint?: string }} [where]
 * @returns {Run}
 */
function runOf(cases, { session = 's', fingerprint = 'f' } = {}) {
  return /** @type {any} */ ({
    schema: 'perf-action/run@1',
    id: 'r',
    session,
    startedAt: '2026-11-20T10:00:00Z',
    environment: { fingerprint },
    revision: {},
    cases: Object.entries(cases).map(([server, trials]) => ({
      id: server,
      server,
      trials,
      ...(server === 'ref' && { reference: true }),
    })),
  });
}

/**
 * @param {Run} base
 * @param {Run} head
 */
function judged(base, head) {
  const comparison = compare(base, head, { margin: 0.05 });
  assert.ok(validate(comparison), JSON.stringify(validate.errors));
  return comparison;
}

test('seconds and requests alone are enough for a verdict', () => {
  const slower = judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(9_000) }));
  assert.equal(slower.verdict, 'regressed');
  assert.deepEqual(
    slower.cases[0]?.metrics.map(({ metric }) => metric),
    ['throughput'],
  );
  assert.equal(judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(11_000) })).verdict, 'improved');
  assert.equal(judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(10_020) })).verdict, 'same');
});

test('the effect has the sign that was measured, and lies inside its interval', () => {
  const [compared] = judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(9_000) })).cases;
  const throughput = compared?.metrics.find(({ metric }) => metric === 'throughput');
  assert.ok(throughput?.effectPct !== undefined && throughput.ciPct);
  assert.ok(Math.abs(throughput.effectPct + 10) < 1, `${throughput.effectPct}`);
  assert.ok(throughput.ciPct[0] <= throughput.effectPct && throughput.effectPct <= throughput.ciPct[1]);
});

test('a new kind of error is a regression where chance does not explain it', () => {
  const clean = { errors: { timeouts: 0, non2xx: 0 } };
  /** @type {any[]} */
  const head = startsOf(10_000, { errors: { timeouts: 0, non2xx: 50 } });
  const { cases, verdict } = judged(runOf({ a: startsOf(10_000, clean) }), runOf({ a: head }));
  assert.equal(verdict, 'regressed');
  const errors = cases[0]?.metrics.find(({ metric }) => metric === 'errors');
  assert.equal(errors?.why.code, 'new-errors');
});

test('a case nobody could measure is failed, and so is the whole', () => {
  const failed = [{ round: 0, windows: [], failure: { kind: 'never-ready', message: 'not ready' } }];
  const base = runOf({ a: startsOf(10_000), b: startsOf(10_000) });
  assert.equal(judged(base, runOf({ a: startsOf(10_000), b: failed })).verdict, 'failed');
});

test('another machine is unsure, and that is said', () => {
  const base = runOf({ a: startsOf(10_000) }, { session: 'x', fingerprint: 'old' });
  const comparison = judged(base, runOf({ a: startsOf(5_000) }));
  assert.equal(comparison.verdict, 'unsure');
  assert.ok(comparison.warnings.length > 0);
});

test('one session is side by side, another on this kind of machine is stored', () => {
  const base = runOf({ a: startsOf(10_000) });
  assert.equal(judged(base, runOf({ a: startsOf(10_000) })).method, 'side-by-side');
  assert.equal(judged(base, runOf({ a: startsOf(10_000) }, { session: 'later' })).method, 'stored');
});

const [HEAVIER, SLOWER] = [
  [10_000, 200e6],
  [8_000, 100e6],
].map(([rate = 0, rssBytes]) =>
  judged(runOf({ a: startsOf(10_000, { rssBytes: 100e6 }) }), runOf({ a: startsOf(rate, { rssBytes }) })),
);
assert.ok(HEAVIER && SLOWER);
const [ONE] = startsOf(10_000);
const UNSURE = judged(runOf({ a: [ONE] }), runOf({ a: [ONE] }));
const NEW = judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(10_000), fresh: startsOf(1) }));

/**
 * @type {[name: string, comparison: Comparison, failOn: 'regressed' | 'unsure' | 'never', memory: string |
 *   undefined, fails: boolean][]}
 */
const GATES = [
  ['a slower server', SLOWER, 'regressed', undefined, true],
  ['a slower server', SLOWER, 'unsure', undefined, true],
  ['a slower server', SLOWER, 'never', undefined, false],
  ['an unsure one', UNSURE, 'regressed', undefined, false],
  ['an unsure one', UNSURE, 'unsure', undefined, true],
  ['an unsure one', UNSURE, 'never', undefined, false],
  ['a new one', NEW, 'unsure', undefined, false],
  ['more memory, which has no gate unless it is asked for,', HEAVIER, 'regressed', undefined, false],
  ['more memory', HEAVIER, 'regressed', 'regressed', true],
  ['more memory', HEAVIER, 'regressed', 'never', false],
  ['more memory', HEAVIER, 'unsure', 'never', false],
  ['more memory', HEAVIER, 'never', 'regressed', true],
  ['a slower server', SLOWER, 'regressed', 'never', true],
  ['a slower server', SLOWER, 'never', 'regressed', false],
];
for (const [name, comparison, failOn, memory, fails] of GATES)
  test(`${name} ${fails ? 'fails' : 'passes'} with fail-on ${failOn}${memory ? `, memory's ${memory}` : ''}`, () => {
    const gates = /** @type {any} */ (memory && { memory });
    assert.equal(outcomeOf({ run: RUN, comparison }, { failOn, ...(gates && { gates }) }), fails ? 1 : 0);
  });

test('a metric with a gate of its own answers to that alone, and a note says so', () => {
  const rules = { failOn: /** @type {const} */ ('regressed') };
  const own = { ...rules, gates: { throughput: /** @type {const} */ ('never') } };
  assert.deepEqual(
    [rules, own].map((each) => outcomeOf({ run: RUN, comparison: SLOWER }, each)),
    [1, 0],
  );
  const notes = (/** @type {Parameters<typeof gateNotes>[1]} */ rules) =>
    gateNotes(HEAVIER, rules).map((note) =>
      Object.values({ ...note, case: undefined })
        .filter(Boolean)
        .join(' '),
    );
  assert.deepEqual(notes({ gates: { memory: 'never', throughput: 'regressed' } }), [
    'gate-open memory regressed never',
  ]);
  assert.deepEqual(notes({ gates: { memory: 'regressed' } }), ['gate-closed memory regressed regressed']);
  assert.deepEqual(notes({}), []);
});

test('a metric may have a margin of its own, and a megabyte more is what an allocator does', () => {
  /** @type {[from: number, to: number, options: Parameters<typeof compare>[2], verdict: string][]} */
  const rows = [
    [1000e6, 1010e6, { margin: 0.05 }, 'same'],
    [1000e6, 1010e6, { margin: 0.05, margins: { memory: 0.005 } }, 'regressed'],
    [1000e6, 1010e6, { margin: 0.005, margins: { memory: 0.05 } }, 'same'],
    [15e6, 16e6, {}, 'same'],
    [15e6, 25e6, {}, 'regressed'],
  ];
  for (const [from, to, options, verdict] of rows) {
    const [base, head] = [from, to].map((rssBytes) => runOf({ a: startsOf(10_000, { rssBytes }) }));
    assert.ok(base && head);
    const { metrics = [] } = compare(base, head, options).cases[0] ?? {};
    assert.equal(metrics.find(({ metric }) => metric === 'memory')?.verdict, verdict, `${from} ${to}`);
  }
});
