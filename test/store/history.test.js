/** Several stored runs as one base, and what the judge makes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { historyFor, poolRuns } from '../../scripts/store/history.js';
import { boots, caseOf, runOf, seededNormal } from '../judge/runs.js';

/**
 * A day on which the whole machine is slower or faster by a factor.
 * @param {number} day
 * @param {{ speed?: number, level?: number, fingerprint?: string, reference?: boolean, profile?: string }} [facts]
 */
function ofDay(day, { speed = 1, level = 50_000, fingerprint = 'here', reference = true, profile } = {}) {
  const random = seededNormal(day * 7 + 1);
  const make = (/** @type {number} */ throughput) =>
    boots({ level: throughput * speed, noise: 0.01, boots: 6, random, only: 'throughput' });
  const cases = [
    ...(reference ? [caseOf('gauge', make(80_000), { reference: true })] : []),
    caseOf('app', make(level)),
  ];
  return {
    ...runOf(cases, { session: `day-${day}`, fingerprint }),
    id: `run-${day}`,
    startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00Z`,
    ...(profile !== undefined && { profile }),
  };
}

/** @param {ReturnType<typeof ofDay>[]} runs */
const stored = (runs) => runs.toReversed().map((run) => ({ file: `${run.id}.json`, run }));

test("this machine's runs come first; where it has none, those of the machine that measured last", () => {
  const all = stored([
    ofDay(1),
    ofDay(2, { profile: 'quick' }),
    ofDay(3, { fingerprint: 'there' }),
    ofDay(4),
    ofDay(5, { fingerprint: 'there' }),
  ]);
  const { cases } = ofDay(9);
  const idsFor = (/** @type {any} */ head) => historyFor(all, { cases, ...head }).map(({ id }) => id);
  assert.deepEqual(idsFor({ fingerprint: 'here' }), ['run-4', 'run-1']);
  assert.deepEqual(idsFor({ fingerprint: 'new' }), ['run-5', 'run-3']);
  assert.deepEqual(idsFor({ fingerprint: 'here', profile: 'quick' }), ['run-2']);
  assert.deepEqual(idsFor({ fingerprint: 'here', cases: [caseOf('other', [])] }), []);
  const many = stored(Array.from({ length: 25 }, (_, day) => ofDay(day + 1)));
  assert.equal(historyFor(many, { cases, fingerprint: 'here' }).length, 20);
});

test('days that drift by a fifth are no change, and a large change is found through the reference', () => {
  const days = [ofDay(4, { speed: 0.8 }), ofDay(3, { speed: 1.2 }), ofDay(2), ofDay(1, { speed: 0.9 })];
  const base = poolRuns(days);
  assert.equal(base.pooled, 4);
  const same = compare(base, ofDay(9, { speed: 1.1 }));
  assert.equal(same.method, 'stored');
  assert.equal(same.base.runs, 4);
  assert.notEqual(same.verdict, 'regressed');
  const slower = compare(base, ofDay(8, { speed: 1.3, level: 37_500 }));
  assert.equal(slower.verdict, 'regressed');
  const effect = slower.cases[0]?.metrics[0]?.effectPct ?? 0;
  assert.ok(Math.abs(effect + 25) < 2, `${effect}`);
});

test('more days give a narrower interval than one', () => {
  const width = (/** @type {any} */ base) => {
    const [low = 0, high = 0] = compare(base, ofDay(9)).cases[0]?.metrics[0]?.ciPct ?? [];
    return high - low;
  };
  const latest = ofDay(4);
  assert.ok(width(poolRuns([latest, ofDay(3), ofDay(2), ofDay(1)])) < width(latest));
});

test('boots of different days share no round, so each meets the reference of its own', () => {
  const { cases } = poolRuns([ofDay(2), ofDay(1)]);
  for (const { trials } of cases) {
    assert.equal(new Set(trials.map(({ round }) => round)).size, 12);
    assert.deepEqual([...new Set(trials.map(({ shard }) => shard))], [1, 2]);
  }
});

test('and boots of different machines of one day meet the reference of their own', () => {
  const sharded = (/** @type {number} */ day) => {
    const run = ofDay(day);
    const [gauge, app] = run.cases;
    const on = (/** @type {typeof gauge} */ of, /** @type {number} */ shard) =>
      (of?.trials ?? []).map((trial) => ({ ...trial, shard }));
    const cases = [
      { ...gauge, trials: [...on(gauge, 1), ...on(gauge, 2)] },
      { ...app, trials: on(app, 2) },
    ];
    return /** @type {typeof run} */ ({ ...run, cases });
  };
  const [gauge, app] = poolRuns([sharded(2), sharded(1)]).cases.map(({ trials }) => [
    ...new Set(trials.map(({ shard }) => shard)),
  ]);
  assert.deepEqual(
    [gauge, app],
    [
      [3, 5, 4, 6],
      [5, 6],
    ],
  );
});

test('what cannot be pooled is left out: no reference, another load', () => {
  assert.equal(poolRuns([ofDay(2), ofDay(1, { reference: false })]).pooled, undefined);
  assert.equal(poolRuns([ofDay(2, { reference: false }), ofDay(1)]).pooled, undefined);
  const longer = ofDay(1);
  for (const of of longer.cases.filter(({ reference }) => !reference)) of.load.durationSeconds = 30;
  const [gauge, app] = poolRuns([ofDay(2), longer]).cases;
  assert.deepEqual([gauge?.trials.length, app?.trials.length], [12, 6]);
});
