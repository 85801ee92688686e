/** Several stored runs as one base, and what the judge makes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { poolComparisons, poolRuns } from '../../scripts/history/pooled-base.js';
import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';
import { ofDay } from '../store/days.js';

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

test('starts of different days share no round, so each meets the reference of its own', () => {
  const { cases } = poolRuns([ofDay(2), ofDay(1)]);
  for (const { trials } of cases) {
    assert.equal(new Set(trials.map(({ round }) => round)).size, 12);
    assert.deepEqual([...new Set(trials.map(({ block }) => block))], [1, 2]);
  }
});

test('starts of different machines of one day meet the reference of their own', () => {
  const sharded = (/** @type {number} */ day) => {
    const run = ofDay(day);
    const [gauge, app] = run.cases;
    const on = (/** @type {typeof gauge} */ measured, /** @type {number} */ block) =>
      (measured?.trials ?? []).map((trial) => ({ ...trial, block }));
    const cases = [
      { ...gauge, trials: [...on(gauge, 1), ...on(gauge, 2)] },
      { ...app, trials: on(app, 2) },
    ];
    return /** @type {typeof run} */ ({ ...run, cases });
  };
  const [gauge, app] = poolRuns([sharded(2), sharded(1)]).cases.map(({ trials }) => [
    ...new Set(trials.map(({ block }) => block)),
  ]);
  assert.deepEqual([gauge, app].join(' and '), '3,5,4,6 and 5,6');
});

test('what cannot be pooled is left out: no reference, another load', () => {
  assert.equal(poolRuns([ofDay(2), ofDay(1, { reference: false })]).pooled, undefined);
  assert.equal(poolRuns([ofDay(2, { reference: false }), ofDay(1)]).pooled, undefined);
  const longer = ofDay(1);
  for (const { load } of longer.cases.filter(({ reference }) => !reference)) load.durationSeconds = 30;
  const [gauge, app] = poolRuns([ofDay(2), longer]).cases;
  assert.deepEqual([gauge?.trials.length, app?.trials.length], [12, 6]);
});

test('a case that the latest run lacks comes from older ones, where it is wanted', () => {
  const { cases, ...latest } = ofDay(3);
  const [gauge] = cases;
  const days = [{ ...latest, cases: gauge ? [gauge] : [] }, ofDay(2), ofDay(1)];
  const ids = (/** @type {Parameters<typeof poolRuns>[1]} */ wanted) =>
    poolRuns(days, wanted).cases.map(({ id }) => id);
  assert.deepEqual(ids([]), [gauge?.id]);
  assert.deepEqual(
    ids(cases),
    cases.map(({ id }) => id),
  );
});

test('two comparisons of the same commits are judged as one', () => {
  /**
   * @param {number} seed
   * @param {number} noise
   * @param {number} rounds
   */
  const compared = (seed, noise, rounds) => {
    const random = seededNormal(seed);
    const side = (/** @type {number} */ level) => {
      const app = caseOf('app', startsOf({ level, noise, starts: rounds, random, only: 'throughput' }));
      return { ...runOf([{ ...app, decidedAt: 0.1 }], { session: `${seed}` }), looks: [0.1] };
    };
    return { base: side(50_000), head: side(36_000) };
  };
  /** @type {Parameters<typeof poolComparisons>} */
  const [earlier, later] = [compared(1, 0.02, 6), compared(2, 0.3, 5)];
  const verdictOf = (/** @type {typeof earlier} */ { base, head }) => compare(base, head).verdict;
  assert.equal(verdictOf(earlier), 'regressed');
  assert.equal(verdictOf(later), 'unsure');
  const pooled = poolComparisons(later, earlier);
  assert.equal(verdictOf(pooled), 'regressed');
  assert.equal(pooled.head.cases[0]?.trials.length, 11);
  assert.deepEqual(
    new Set(pooled.head.cases[0]?.trials.map(({ round }) => round)),
    new Set(pooled.base.cases[0]?.trials.map(({ round }) => round)),
  );
  assert.equal(pooled.head.looks, undefined);
});

test('a case of few of the stored runs has few runs, however many the others have', () => {
  const days = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((day) => ofDay(day));
  const added = days.map((day, place) => {
    const more = day.cases.flatMap((each) => (each.reference ? [] : { ...each, id: 'new' }));
    return place < 2 ? { ...day, cases: [...day.cases, ...more] } : day;
  });
  const limitsOf = (/** @type {typeof days} */ stored) => {
    const [latest] = stored;
    assert.ok(latest);
    return compare(poolRuns(stored), { ...latest, id: 'head', session: 'head' }).promise?.outside;
  };
  assert.deepEqual(limitsOf(days), []);
  assert.deepEqual(limitsOf(added), [{ code: 'few-runs', runs: 2 }]);
});
