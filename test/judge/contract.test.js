/** What a comparison promises other programs, whatever statistics are behind it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compare } from '../../scripts/judge/compare.js';
import { gateFails, gateNotes } from '../../scripts/judge/gate.js';

/** @typedef {import('../../scripts/types.js').Comparison} Comparison */
/** @typedef {import('../../scripts/types.js').Run} Run */

const [SCHEMA, RUN_SCHEMA] = ['comparison', 'run'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../scripts/store/${name}.schema.json`, import.meta.url), 'utf8')),
);
const STRICT = { strict: true, strictRequired: false, allowUnionTypes: true };
const validate = new Ajv2020({ ...STRICT, schemas: [RUN_SCHEMA] }).compile(SCHEMA);

/** A fixed spread of ±1.5 % around the mean, the same on every call. */
const SPREAD = [-1.5, 0.7, -0.4, 1.2, -0.9, 0.3, 1.5, -1.1, 0.1, 0.9];

/** @param {number} rate @param {object} [window] */
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

/** @param {Run} base @param {Run} head */
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

test('a new kind of error is a regression, whatever its number', () => {
  const clean = { errors: { timeouts: 0, non2xx: 0 } };
  /** @type {any[]} */
  const head = startsOf(10_000, clean);
  head[3] = { ...head[3], windows: [{ ...head[3].windows[0], errors: { timeouts: 0, non2xx: 1 } }] };
  const { cases, verdict } = judged(runOf({ a: startsOf(10_000, clean) }), runOf({ a: head }));
  assert.equal(verdict, 'regressed');
  const errors = cases[0]?.metrics.find(({ metric }) => metric === 'errors');
  assert.deepEqual(errors?.why, { code: 'new-errors', kinds: ['non2xx'] });
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

test('the gate fails for what was asked', () => {
  const regressed = judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(8_000) }));
  const [one] = startsOf(10_000);
  const unsure = judged(runOf({ a: [one] }), runOf({ a: [one] }));
  const fails = (/** @type {Comparison} */ comparison) =>
    /** @type {const} */ (['regressed', 'unsure', 'never']).map((failOn) =>
      gateFails(comparison, { failOn }),
    );
  assert.deepEqual(fails(regressed), [true, true, false]);
  assert.deepEqual(fails(unsure), [false, true, false]);
  const fresh = judged(runOf({ a: startsOf(10_000) }), runOf({ a: startsOf(10_000), fresh: startsOf(1) }));
  assert.deepEqual(fails(fresh), [false, false, false]);
});

test('a metric with a gate of its own answers to that alone', () => {
  const heavier = judged(
    runOf({ a: startsOf(10_000, { rssBytes: 100e6 }) }),
    runOf({ a: startsOf(10_000, { rssBytes: 200e6 }) }),
  );
  const slower = judged(
    runOf({ a: startsOf(10_000, { rssBytes: 100e6 }) }),
    runOf({ a: startsOf(8_000, { rssBytes: 100e6 }) }),
  );
  /** @param {Comparison} comparison @param {Parameters<typeof gateFails>[1]} rules */
  const fails = (comparison, rules) => gateFails(comparison, rules);
  assert.equal(fails(heavier, { failOn: 'regressed' }), false, 'memory has no gate unless it is asked for');
  assert.equal(fails(heavier, { failOn: 'regressed', gates: { memory: 'regressed' } }), true);
  assert.equal(fails(heavier, { failOn: 'regressed', gates: { memory: 'never' } }), false);
  assert.equal(fails(heavier, { failOn: 'unsure', gates: { memory: 'never' } }), false);
  assert.equal(fails(heavier, { failOn: 'never', gates: { memory: 'regressed' } }), true);
  assert.equal(fails(slower, { failOn: 'regressed', gates: { memory: 'never' } }), true);
  assert.equal(fails(slower, { failOn: 'never', gates: { memory: 'regressed' } }), false);
  assert.equal(fails(slower, { failOn: 'regressed', gates: { throughput: 'never' } }), false);
  const notes = (/** @type {Parameters<typeof gateNotes>[1]} */ rules) =>
    gateNotes(heavier, rules).map((/** @type {any} */ { code, metric, verdict, rule }) => [
      code,
      metric,
      verdict,
      rule,
    ]);
  assert.deepEqual(notes({ gates: { memory: 'never', throughput: 'regressed' } }), [
    ['gate-open', 'memory', 'regressed', 'never'],
  ]);
  assert.deepEqual(notes({ gates: { memory: 'regressed' } }), [
    ['gate-closed', 'memory', 'regressed', 'regressed'],
  ]);
  assert.deepEqual(notes({}), []);
});

test('a metric may have a margin of its own', () => {
  const runs = /** @type {const} */ ([
    runOf({ a: startsOf(10_000, { rssBytes: 1000e6 }) }),
    runOf({ a: startsOf(10_000, { rssBytes: 1010e6 }) }),
  ]);
  const memory = (/** @type {Parameters<typeof compare>[2]} */ options) =>
    compare(...runs, options).cases[0]?.metrics.find(({ metric }) => metric === 'memory')?.verdict;
  assert.equal(memory({ margin: 0.05 }), 'same');
  assert.equal(memory({ margin: 0.05, margins: { memory: 0.005 } }), 'regressed');
  assert.equal(memory({ margin: 0.005, margins: { memory: 0.05 } }), 'same');
});

test('a megabyte more is what an allocator does, and no change', () => {
  const memory = (/** @type {number} */ bytes) =>
    compare(
      runOf({ a: startsOf(10_000, { rssBytes: 15e6 }) }),
      runOf({ a: startsOf(10_000, { rssBytes: bytes }) }),
    ).cases[0]?.metrics.find(({ metric }) => metric === 'memory')?.verdict;
  assert.equal(memory(16e6), 'same');
  assert.equal(memory(25e6), 'regressed');
});
