/**
 * Against stored runs: the reference takes out the day, what is left from run to run counts, another machine
 * decides nothing.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../bench/verdicts/recordings.js';
import { normal, simulate } from '../../bench/verdicts/worlds.js';
import { compare } from '../../scripts/judge/compare.js';
import { poolRuns } from '../../scripts/history/pooled-base.js';
import { caseOf, runOf, startsOf } from './runs.js';

/** @import { Run } from '../../scripts/types.js' */

/** Comparisons; more with `scripts/test --all`. */
const TRIES = process.env.PERF_TEST_ALL ? 300 : 110;
const DAY = { moment: 0.05, start: 0.007, window: 0.02 };

/**
 * A run of some day: the machine is faster or slower, and the server's ratio to the reference moves, too.
 * @param {string} session
 * @param {{ random: () => number, apart?: number, speed?: number, fingerprint?: string, reference?: boolean
 *   }} how apart: how far runs lie apart, a standard deviation
 * @returns {Run}
 */
function ofDay(session, { random, apart = 0.025, speed = 1, fingerprint = 'here', reference = true }) {
  const level = 60_000 * Math.exp(0.15 * normal(random));
  const [gauge = [], app = []] = simulate(
    { level, ...DAY },
    { rounds: 6, windows: 2, speed: speed * Math.exp(apart * normal(random)), random },
  );
  const cases = [...(reference ? [caseOf('gauge', gauge, { reference: true })] : []), caseOf('app', app)];
  return { ...runOf(cases, { session, fingerprint }), id: session };
}

/**
 * @param {number} count
 * @param {Parameters<typeof ofDay>[1]} how
 */
const stored = (count, how) => poolRuns(Array.from({ length: count }, (_, day) => ofDay(`day ${day}`, how)));

/**
 * @param {number} tries
 * @param {() => [Run, Run]} draw
 */
function verdictsOf(tries, draw) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (let i = 0; i < tries; i++) {
    const { verdict } = compare(...draw());
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}

test('unchanged servers on one kind of machine raise no alarm, with one stored run or with twenty', () => {
  for (const count of [1, 3, 20]) {
    const random = seededRandom(count);
    const { regressed = 0, improved = 0 } = verdictsOf(TRIES, () => [
      stored(count, { random }),
      ofDay('today', { random }),
    ]);
    const most = TRIES / 36;
    assert.ok(
      regressed <= most && improved <= most,
      `${count} stored: ${regressed} and ${improved} of ${TRIES}`,
    );
  }
});

test('with twenty stored runs a server that is 20 % slower is found; with one, only much more is', () => {
  const random = seededRandom(9);
  const found = (/** @type {number} */ count, /** @type {number} */ speed) =>
    verdictsOf(60, () => [stored(count, { random }), ofDay('today', { random, speed })]).regressed ?? 0;
  assert.ok(found(20, 0.8) >= 57, '20 stored, 20 %');
  assert.ok(found(1, 0.9) <= 6, '1 stored, 10 %');
  assert.ok(found(1, 0.5) >= 50, '1 stored, half');
});

test('how far runs lie apart is learned: where they hardly move, less is found', () => {
  const width = (/** @type {number} */ apart) => {
    const random = seededRandom(10);
    const [compared] = compare(stored(20, { random, apart }), ofDay('today', { random, apart })).cases;
    const [low, high] = compared?.metrics.find(({ metric }) => metric === 'cpuPerRequest')?.ciPct ?? [0, 0];
    return high - low;
  };
  assert.ok(width(0.06) > 2 * width(0.01), `${width(0.06)} and ${width(0.01)}`);
});

test('another kind of machine decides nothing, whatever its reference says, and the report says what to do', () => {
  const random = seededRandom(11);
  const base = stored(20, { random, fingerprint: 'there' });
  const { method, verdict, warnings, cases } = compare(base, ofDay('today', { random, speed: 0.5 }));
  assert.equal(method, 'other-machine');
  assert.equal(verdict, 'unsure');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['other-machine'],
  );
  const speeds = cases[0]?.metrics.filter(({ metric }) => metric !== 'errors') ?? [];
  assert.ok(speeds.length > 2 && speeds.every(({ verdict: word, ciPct }) => word === 'unsure' && !ciPct));
});

test('joined machines of several kinds decide nothing, as each may have measured other cases', () => {
  const random = seededRandom(15);
  const kinds = { random, fingerprint: 'here+there' };
  assert.equal(compare(stored(20, kinds), ofDay('today', kinds)).method, 'other-machine');
});

test('new errors on another kind of machine decide nothing either', () => {
  const random = seededRandom(16);
  const head = ofDay('today', { random, fingerprint: 'there' });
  const [window] = head.cases[1]?.trials[0]?.windows ?? [];
  assert.ok(window);
  window.errors = { non2xx: window.requests };
  const base = ofDay('yesterday', { random });
  for (const trial of base.cases[1]?.trials ?? [])
    for (const each of trial.windows) each.errors = { non2xx: 0 };
  assert.equal(compare(base, head).verdict, 'unsure');
  assert.equal(compare(base, { ...head, environment: base.environment }).verdict, 'regressed');
});

test('a case at a fixed rate meets the reference at that rate, not one that answers as fast as it can', () => {
  const random = seededRandom(17);
  const run = (/** @type {string} */ session, /** @type {number} */ speed) => {
    const measured = (/** @type {number} */ level) => startsOf({ level, noise: 0.005, starts: 8, random });
    const [fast, slow, app] = [
      caseOf('gauge c100', measured(50_000 * speed), { reference: true }),
      caseOf('gauge r500', measured(500), { reference: true }),
      caseOf('app r500', measured(500)),
    ];
    for (const each of [slow, app]) each.load = { ...each.load, rate: 500 };
    return { ...runOf([fast, slow, app], { session }), id: session };
  };
  assert.notEqual(compare(run('slow day', 1), run('fast day', 1.5)).verdict, 'regressed');
});

test('a run that others took most of the machine from shows large changes only beside stored ones', () => {
  const random = seededRandom(13);
  const base = stored(20, { random });
  const among = (/** @type {number} */ foreignShare, today = ofDay('today', { random, speed: 0.5 })) => ({
    ...today,
    cases: today.cases.map(({ trials, ...planned }) => ({
      ...planned,
      trials: trials.map((trial) => ({
        ...trial,
        windows: trial.windows.map((window) => ({
          ...window,
          cpu: { serverSeconds: 1, clientSeconds: 1, stealShare: 0, ...window.cpu, foreignShare },
        })),
      })),
    })),
  });
  assert.equal(compare(base, among(0.2)).verdict, 'regressed');
  const { verdict, cases } = compare(base, among(0.6));
  assert.equal(verdict, 'unsure');
  const leading = cases[0]?.metrics.find(({ metric }) => metric === 'cpuPerRequest');
  assert.deepEqual(leading?.why, { code: 'crowded' });
  assert.equal(compare(base, among(0.6, ofDay('today', { random, speed: 0.02 }))).verdict, 'regressed');
});

test('without a reference the days themselves count, and only a very large change shows', () => {
  const random = seededRandom(12);
  const alone = { random, reference: false };
  const { regressed = 0, improved = 0 } = verdictsOf(200, () => [ofDay('one', alone), ofDay('two', alone)]);
  assert.ok(regressed + improved <= 6, `${regressed} and ${improved} of 200`);
  assert.equal(compare(ofDay('one', alone), ofDay('two', { ...alone, speed: 0.1 })).verdict, 'regressed');
});

test('the promise names what it does not rest on', () => {
  const random = seededRandom(13);
  const promise = (/** @type {number} */ count) =>
    compare(stored(count, { random }), ofDay('today', { random })).promise?.outside;
  assert.deepEqual(promise(1), [{ code: 'few-runs', runs: 1 }]);
  assert.deepEqual(promise(20), []);
});

test("the reference's own change is reported, with an interval that knows of days", () => {
  const random = seededRandom(14);
  const { reference } = compare(ofDay('one', { random }), ofDay('two', { random }));
  assert.equal(reference?.id, 'gauge');
  assert.ok(reference.ciPct[0] < -15 && reference.ciPct[1] > 15, `${reference.ciPct}`);
});

test('a stored run that sent other rows decides nothing', () => {
  const random = seededRandom(5);
  /** @type {(run: Run, sha256?: string) => Run} */
  const sending = (run, sha256) => ({
    ...run,
    cases: run.cases.map((each) => ({
      ...each,
      request: { ...each.request, ...(sha256 && { data: { requests: 2, different: 2, sha256 } }) },
    })),
  });
  const [base, head] = [stored(8, { random }), ofDay('today', { random, speed: 0.5 })];
  const of = (/** @type {string} */ from, /** @type {string} */ to) =>
    compare(sending(base, from), sending(head, to)).cases[0];
  assert.equal(of('a', 'a')?.verdict, 'regressed');
  for (const [from, to] of [
    ['a', 'b'],
    ['', 'a'],
  ]) {
    const found = of(String(from), String(to));
    assert.equal(found?.verdict, 'unsure');
    assert.deepEqual([...new Set(found?.metrics.map(({ why }) => why.code))].sort(), [
      'no-errors',
      'other-data',
    ]);
  }
});
