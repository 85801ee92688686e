/** Starts that failed: counted on both sides, tested, and told where they are too few to tell from chance. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../scripts/plan/random.js';
import { compare } from '../../scripts/judge/compare.js';
import { compareErrors } from '../../scripts/judge/compare-errors.js';
import { alphasOfLooks, FALSE_ALARMS, LOOKS } from '../../scripts/judge/alpha-spending.js';
import { chanceOf, isBarelyMeasured } from '../../scripts/judge/failed-starts.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { ERRORS } from '../../scripts/samples/figures.js';
import { readRun } from '../../scripts/store/run-file.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @import { FailureKind, Trial } from '../../scripts/types.js' */

const HANG = { kind: /** @type {FailureKind} */ ('never-ready'), message: 'not ready after 30 s' };
const RULE = { alpha: FALSE_ALARMS * ERRORS.judged.weight, margin: 0.05, isPaired: true };
const random = seededNormal(3);
const good = (/** @type {number} */ count) => startsOf({ level: 30_000, noise: 0.02, starts: count, random });

/** @type {(count: number, failures: number, failure?: typeof HANG) => Trial[]} */
const failing = (count, failures, failure = HANG) =>
  good(count).map((trial) => (trial.round < failures ? { ...trial, failure, windows: [] } : trial));

/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 */
const judge = (base, head) => compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)]));

test("Fisher's test: the lady who tastes all of eight cups right, and one of the four wrong", () => {
  const cups = (/** @type {number} */ right) => ({ failed: right, of: 4 });
  assert.ok(Math.abs(chanceOf(cups(4), cups(0)) - 1 / 70) < 1e-9);
  assert.ok(Math.abs(chanceOf(cups(3), cups(1)) - 17 / 70) < 1e-9);
  assert.ok(Math.abs(chanceOf({ failed: 0, of: 9 }, { failed: 2, of: 7 }) - 1) < 1e-9);
});

/**
 * @param {number} share that hangs
 * @param {() => number} uniform
 * @returns {Pick<Trial, 'round' | 'failure' | 'windows'>[]}
 */
const flaky = (share, uniform, starts = 10) =>
  Array.from({ length: starts }, (_, round) => ({
    round,
    failure: uniform() < share ? HANG : null,
    windows: [],
  }));

for (const share of [0.02, 0.3])
  test(`identical servers of which ${100 * share} % of ten starts a side hang raise no alarm`, () => {
    const uniform = seededRandom(11);
    let alarms = 0;
    for (let report = 0; report < 10_000; report++) {
      const { changes } = compareErrors(
        { base: { trials: flaky(share, uniform) }, head: { trials: flaky(share, uniform) } },
        RULE,
      );
      alarms += changes.filter(({ verdict }) => verdict === 'regressed').length;
    }
    // The errors' part of the promised hundred is five.
    assert.ok(alarms <= 5, `${alarms} of 10,000`);
  });

test('looks at growing numbers of starts stay within the same part', () => {
  const uniform = seededRandom(12);
  const looks = [...LOOKS, 1];
  const alphas = alphasOfLooks({ looks, cases: [caseOf('a', [])] }).map(
    (alpha) => alpha * ERRORS.judged.weight,
  );
  let alarms = 0;
  for (let report = 0; report < 10_000; report++) {
    const [base, head] = [flaky(0.4, uniform, 40), flaky(0.4, uniform, 40)];
    const isAlarm = looks.some((look, place) => {
      const [from, to] = [base, head].map((trials) => ({ trials: trials.slice(0, 40 * look) }));
      const { changes } = compareErrors(
        { base: from ?? { trials: [] }, head: to ?? { trials: [] } },
        { ...RULE, alpha: alphas[place] ?? 0 },
      );
      return changes.some(({ verdict }) => verdict === 'regressed');
    });
    if (isAlarm) alarms++;
  }
  assert.ok(alarms <= 5, `${alarms} of 10,000`);
});

test('a few failed starts of one side are told with the counts of both, and judged by nobody', () => {
  const { cases, warnings } = judge(failing(25, 0), failing(25, 3));
  assert.deepEqual(
    cases.map(({ verdict }) => verdict),
    ['same'],
  );
  const [note] = warnings.filter(({ code }) => code === 'failed-starts');
  assert.ok(note);
  assert.equal(
    wordsIn().warning(note),
    '3 of 25 starts of the head never became ready, 0 of 25 of the base: too few to tell from chance',
  );
});

test('more than chance allows is a regression that names the starts and no share of requests', () => {
  const { cases, warnings } = judge(failing(25, 0), failing(25, 12));
  const errors = cases[0]?.metrics.find(({ metric }) => metric === 'errors');
  assert.equal(cases[0]?.verdict, 'regressed');
  assert.ok(errors && !('base' in errors) && !('head' in errors));
  assert.equal(
    wordsIn().reason(errors.why),
    '12 of 25 starts of the head never became ready, 0 of 25 of the base',
  );
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'failed-starts'),
    [],
  );
  const [fewer] = judge(failing(25, 12), failing(25, 0)).cases;
  assert.equal(fewer?.metrics.find(({ metric }) => metric === 'errors')?.verdict, 'improved');
});

test('pairs of starts on one core count, and failures of the load tool do not', () => {
  const paired = good(5).map((trial) => ({
    ...trial,
    startups: [true, undefined].map((sharesCore) => ({
      ...{ ms: 100, cpuMs: 100, rssBytes: 1e7 },
      ...(sharesCore && { sharesCore }),
    })),
  }));
  const crash = { kind: /** @type {const} */ ('load-tool-crashed'), message: '' };
  const head = [
    .../** @type {Trial[]} */ (paired),
    { round: 5, failure: HANG, windows: [] },
    { round: 6, failure: { kind: /** @type {const} */ ('died-under-load'), message: '' }, windows: [] },
    { round: 7, failure: crash, windows: [] },
  ];
  const [note] = judge(good(5), head).warnings.filter(({ code }) => code === 'failed-starts');
  assert.deepEqual(note, {
    code: 'failed-starts',
    case: 'a',
    kinds: ['never-ready', 'died-under-load'],
    base: { failed: 0, of: 5 },
    head: { failed: 2, of: 12 },
  });
});

test('a head of which every start fails could not be measured, as before', () => {
  const { verdict, warnings } = judge(good(4), failing(2, 2));
  assert.equal(verdict, 'failed');
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'failed-starts'),
    [],
  );
});

test('a side is barely measured where half of its starts failed, or one by no fault of the server', () => {
  const crash = { kind: /** @type {FailureKind} */ ('load-tool-crashed'), message: '' };
  assert.equal(isBarelyMeasured({ trials: failing(8, 3) }), false);
  assert.equal(isBarelyMeasured({ trials: failing(8, 4) }), true);
  assert.equal(isBarelyMeasured({ trials: failing(8, 1, crash) }), true);
  assert.equal(isBarelyMeasured({ trials: [] }), true);
});

test('recorded starts of identical code, of which one hung, are no regression of either side', async () => {
  const read = (/** @type {string} */ side) =>
    readRun(fileURLToPath(new URL(`../data/judge/starts-that-hang/${side}.json`, import.meta.url)));
  const [base, head] = [await read('base'), await read('head')];
  for (const [from, to] of /** @type {const} */ ([
    [base, head],
    [head, base],
  ])) {
    const { cases, warnings } = compare(from, to, { margin: 0.02 });
    assert.ok(cases.every(({ verdict }) => verdict !== 'regressed' && verdict !== 'failed'));
    const [note] = warnings.filter(({ code }) => code === 'failed-starts');
    assert.ok(note?.code === 'failed-starts');
    assert.deepEqual([note.base.of, note.head.of], [9, 9]);
    assert.equal(note.base.failed + note.head.failed, 1);
  }
});
