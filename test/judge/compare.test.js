/** What the comparison says of runs in which the truth is known. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { hasFewRounds, judgeEffect } from '../../scripts/judge/verdicts.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @import { Trial } from '../../scripts/types.js' */

const random = seededNormal(1);
const usual = (level = 30000, count = 12) => startsOf({ level, noise: 0.02, starts: count, random });

/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 */
function judge(base, head) {
  const comparison = compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)]));
  const only = comparison.cases[0];
  assert.ok(only);
  return { comparison, only, throughput: only.metrics.find(({ metric }) => metric === 'throughput') };
}

test('equal servers are the same', () => {
  const { comparison, throughput } = judge(usual(), usual());
  assert.equal(comparison.verdict, 'same');
  const [low, high] = throughput?.ciPct ?? [Number.NaN, Number.NaN];
  assert.ok(low > -5 && low < 0 && high > 0 && high < 5, `${low} to ${high}`);
});

test('a run against itself tells what it would find, and another one does not', () => {
  const runs = () => ({ ...runOf([caseOf('a', usual())]), against: 'self' });
  const { against, cases } = compare(runs(), runs());
  assert.equal(against, 'self');
  const finds = cases[0]?.findsPct ?? 0;
  assert.ok(finds > 1 && finds < 8, `${finds} %`);
  const { comparison, only } = judge(usual(), usual());
  assert.equal(comparison.against, undefined);
  assert.equal(only.findsPct, undefined);
  // Runs of two sessions were each against something of their own.
  const later = { ...runOf([caseOf('a', usual())], { session: 'two' }), against: 'self' };
  assert.equal(compare(runs(), later).against, undefined);
});

test('a slower server has regressed, a faster one has improved, and the effect keeps its sign', () => {
  const slower = judge(usual(), usual(27000));
  assert.equal(slower.comparison.verdict, 'regressed');
  assert.ok(Math.abs((slower.throughput?.effectPct ?? 0) + 10) < 3, `${slower.throughput?.effectPct}`);
  assert.equal(judge(usual(27000), usual()).comparison.verdict, 'improved');
});

test('one start a side is unsure and says why', () => {
  const { only, throughput } = judge(usual(30000, 1), usual(20000, 1));
  assert.equal(only.verdict, 'unsure');
  assert.deepEqual(throughput?.why, { code: 'one-start' });
  assert.equal(throughput?.ciPct, undefined);
});

test('two rounds that have nothing in common give an interval that a file can hold', () => {
  const wild = (/** @type {number[]} */ levels) =>
    levels.flatMap((level, round) =>
      startsOf({ level, noise: 0, starts: 1, random }).map((trial) => ({ ...trial, round })),
    );
  const { comparison, only } = judge(wild([30000, 3000]), wild([3000, 30000]));
  assert.equal(only.verdict, 'unsure');
  assert.deepEqual(JSON.parse(JSON.stringify(comparison)), comparison);
  assert.ok(only.metrics.every(({ ciPct = [] }) => ciPct.every(Number.isFinite)));
});

test('an unsure figure says how many more rounds would settle it', () => {
  const noisy = (/** @type {number} */ level) => startsOf({ level, noise: 0.1, starts: 6, random });
  const { throughput } = judge(noisy(30000), noisy(29000));
  assert.equal(throughput?.verdict, 'unsure');
  const why = throughput?.why;
  assert.ok(why?.code === 'open' && why.moreRounds > 5, JSON.stringify(why));
});

test('how many more rounds takes into account how much more so many rounds show', () => {
  /**
   * @param {number} effect
   * @param {number} error
   * @param {number} rounds
   * @param {{ lasting?: number }} [days]
   */
  const more = (effect, error, rounds, days) => {
    const { why } = judgeEffect(
      {
        ...{ metric: 'cpuPerRequest', base: 50, head: 50 * Math.exp(effect), effect, error },
        ...{ df: rounds - 1, rounds, wrecked: 0, floor: 0, grain: 0, nearest: 0, ...days },
      },
      { holds: false, alpha: 0.0005, margin: 0.05 },
    );
    return why.code === 'open' && [why.moreRounds, hasFewRounds(why)];
  };
  // Seven rounds: 2.447 standard errors of 0.0284 / √7 are less than log 1.05 - 0.0225.
  assert.deepEqual(more(0.0225, 0.0127, 5), [2, true]);
  assert.deepEqual(more(0.0225, 0.036, 5), [34, false]);
  assert.deepEqual(more(0.09, 0.024, 8), [4, false], 'a change that is nearly certain');
  assert.deepEqual(more(0.0225, 0.5, 5), [1001, false]);
  assert.deepEqual(more(0.01, 0.06, 8, { lasting: 0.05 }), [1001, false], 'days lie so far apart');
});

test('where the load tool is the limit, more rounds are not said to make a case the same', () => {
  const ofSeed = seededNormal(2);
  const busy = () => {
    const trials = startsOf({ level: 30000, noise: 0.05, starts: 6, random: ofSeed });
    return { ...caseOf('a', trials), summary: /** @type {any} */ ({ clientBound: true }) };
  };
  const [only] = compare(runOf([busy()]), runOf([busy()])).cases;
  assert.deepEqual(only?.metrics.find(({ metric }) => metric === 'throughput')?.why, {
    code: 'client-bound',
  });
});

test('the same files get the same answer, to the last digit', () => {
  const [base, head] = [usual(), usual(28800)];
  assert.deepEqual(judge(base, head).comparison, judge(base, head).comparison);
});

test('starts that do not vary at all are judged too', () => {
  const still = (/** @type {number} */ level) => startsOf({ level, noise: 0, starts: 6, random });
  assert.equal(judge(still(1000), still(1000)).comparison.verdict, 'same');
  assert.equal(judge(still(1000), still(900)).comparison.verdict, 'regressed');
});

test('a wrecked start changes nothing', () => {
  const head = [...usual(30000, 11), ...startsOf({ level: 9000, noise: 0.02, starts: 1, random })];
  assert.equal(judge(usual(), head).comparison.verdict, 'same');
});

test('every figure tells the rounds that it left out as outliers', () => {
  const outliers = (/** @type {Trial[]} */ head) =>
    judge(usual(), head).comparison.warnings.flatMap((warning) =>
      warning.code === 'outliers' ? warning.outliers.map(({ metric, round }) => `${metric} ${round}`) : [],
    );
  const slow = startsOf({ level: 9000, noise: 0.02, starts: 1, random });
  const wrecked = [...usual(30000, 11), ...slow.map((trial) => ({ ...trial, round: 11 }))];
  assert.ok(outliers(wrecked).includes('throughput 11'), outliers(wrecked).join());
  const late = usual().map((trial, place) => ({
    ...trial,
    windows: trial.windows.map((window) => ({ ...window, latencyMs: { p50: place === 3 ? 40 : 2, p99: 5 } })),
  }));
  assert.deepEqual(outliers(late), ['p50 3']);
});

test('a latency in whole milliseconds is too coarse to be the same', () => {
  const coarse = startsOf({ level: 30000, noise: 0.02, starts: 12, random, more: { latencyMs: { p50: 2 } } });
  const { only } = judge(coarse, coarse);
  const p50 = only.metrics.find(({ metric }) => metric === 'p50');
  assert.equal(p50?.verdict, 'unsure');
  assert.deepEqual(p50?.why, { code: 'too-coarse', stepPct: 50 });
});

/**
 * @param {number} p50 whole milliseconds
 * @param {number} count starts
 */
const ticking = (p50, count) =>
  usual(30000, count).map((trial) => ({
    ...trial,
    windows: trial.windows.map((window) => ({ ...window, latencyMs: { p50 } })),
  }));

test('figures of a coarse clock hide how far they scatter: few that look alike are no change', () => {
  const p50 = (/** @type {number} */ count) => {
    const { only } = judge(ticking(4, count), ticking(6, count));
    return only.metrics.find(({ metric }) => metric === 'p50');
  };
  for (const count of [2, 4]) assert.equal(p50(count)?.verdict, 'unsure', `${count} rounds`);
  assert.ok((p50(4)?.errorPct ?? 0) > 1, 'a step is part of the error');
  assert.equal(p50(12)?.verdict, 'regressed');
});

test('under four rounds a change is unsure, and that is said', () => {
  const still = (/** @type {number} */ level, /** @type {number} */ count) =>
    startsOf({ level, noise: 0, starts: count, random });
  for (const level of [900, 1100]) {
    const { only, throughput } = judge(still(1000, 3), still(level, 3));
    assert.equal(only.verdict, 'unsure');
    assert.deepEqual(throughput?.why, { code: 'few-rounds', least: 4, moreRounds: 1 });
  }
  assert.equal(judge(still(1000, 3), still(1000, 3)).only.verdict, 'same');
  assert.equal(judge(still(1000, 4), still(900, 4)).only.verdict, 'regressed');
});

test('ten times slower or faster in every pair of windows needs no four rounds', () => {
  const still = (/** @type {number} */ level, /** @type {number} */ count) =>
    startsOf({ level, noise: 0, starts: count, random });
  for (const count of [1, 3]) {
    const { only, throughput } = judge(still(1000, count), still(99, count));
    assert.equal(only.verdict, 'regressed');
    assert.equal(throughput?.why.code, 'tenfold');
    assert.equal(judge(still(99, count), still(1000, count)).only.verdict, 'improved');
    assert.equal(judge(still(1000, count), still(101, count)).only.verdict, 'unsure');
  }
  const [first, ...others] = still(50, 3);
  const once = [{ ...first, round: 0, windows: still(1000, 1)[0]?.windows ?? [] }, ...others];
  assert.equal(
    judge(still(1000, 3), /** @type {any} */ (once)).only.verdict,
    'unsure',
    'one round is as before',
  );
});

test('a side without a good start has failed', () => {
  const failure = { kind: /** @type {const} */ ('exited-at-start'), message: 'exit code 1' };
  const { comparison, only } = judge(usual(), [{ round: 0, failure, windows: [] }]);
  assert.equal(comparison.verdict, 'failed');
  assert.deepEqual(only.metrics[0]?.why, { code: 'failed', ...failure });
});

test('sides that share no round are unsure: nothing was measured that could be the same', () => {
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'no answer within 30 s' };
  const none = { timeouts: 0, connect: 0, read: 0, write: 0, non2xx: 0 };
  const clean = startsOf({ level: 30000, noise: 0.02, starts: 2, random, more: { errors: none } });
  const without = (/** @type {number} */ gone) =>
    clean.map((trial) => (trial.round === gone ? { round: gone, failure, windows: [] } : trial));
  const base = runOf([caseOf('a', without(1))]);
  assert.equal(compare(base, runOf([caseOf('a', without(0))])).verdict, 'unsure');
});

test('a head that answers nothing in whole windows although it works has regressed; both are a failure', () => {
  const failure = { kind: /** @type {const} */ ('too-slow'), message: 'answered no request in 9 s' };
  const silent = [0, 1].map((round) => ({ round, failure, windows: [] }));
  const { only } = judge(usual(), silent);
  assert.equal(only.verdict, 'regressed');
  assert.deepEqual(only.metrics[0]?.why, { code: 'too-slow', side: 'head', message: failure.message });
  assert.equal(judge(silent, usual()).only.verdict, 'improved');
  assert.equal(judge(silent, silent).only.verdict, 'failed');
});

test('a head that is ready ten times later, and then has no time to be measured, has a regressed start', () => {
  const started = (/** @type {Trial[]} */ trials, /** @type {number} */ startupMs) =>
    trials.map((trial) => ({ ...trial, startupMs }));
  const late = (/** @type {'too-slow' | 'cancelled' | 'wrong-answer'} */ kind) =>
    started([{ round: 0, failure: { kind, message: '/: no answer within 30 s' }, windows: [] }], 64_900);
  const why = { code: 'slow-start', baseMs: 450, headMs: 64_900 };
  const base = started(usual(), 450);
  for (const kind of /** @type {const} */ (['too-slow', 'cancelled'])) {
    const { only } = judge(base, late(kind));
    assert.equal(only.verdict, 'regressed');
    assert.deepEqual([only.metrics[0]?.metric, only.metrics[0]?.why], ['startupTime', why]);
  }
  assert.equal(wordsIn().reason(/** @type {any} */ (why)), 'ready after 65 s, the base after 0.5 s');
  // The head took all of the budget.
  const cut = started([{ round: 0, failure: { kind: 'cancelled', message: '' }, windows: [] }], 450);
  const never = { kind: /** @type {const} */ ('too-slow'), message: 'not ready after 122 s' };
  for (const head of [late('too-slow'), [{ round: 0, failure: never, windows: [] }]])
    assert.equal(judge(cut, head).only.verdict, 'regressed');
  assert.equal(judge(late('too-slow'), late('too-slow')).only.verdict, 'failed');
  assert.equal(judge(base, late('wrong-answer')).only.verdict, 'failed');
  assert.equal(judge(started(usual(), 9000), late('cancelled')).only.verdict, 'unsure');
});

test('a side whose starts were cancelled is not to blame, one that failed by itself is', () => {
  const message = 'the budget of 60 s ended before it was measured';
  const failed = (/** @type {'cancelled' | 'never-ready'} */ kind) => [
    { round: 0, failure: { kind, message }, windows: [] },
  ];
  for (const [base, head] of [
    [failed('cancelled'), failed('cancelled')],
    [usual(), failed('cancelled')],
    [failed('cancelled'), usual()],
  ]) {
    const { only } = judge(/** @type {any} */ (base), /** @type {any} */ (head));
    assert.deepEqual([only.verdict, only.metrics[0]?.why], ['unsure', { code: 'cancelled', message }]);
  }
  const { only } = judge(failed('never-ready'), failed('cancelled'));
  assert.deepEqual([only.verdict, only.metrics[0]?.why.code], ['failed', 'failed']);
});

test('a case that one side lacks is marked and decides nothing', () => {
  const base = runOf([caseOf('a', usual()), caseOf('old', usual())]);
  const head = runOf([caseOf('a', usual()), caseOf('new', usual())]);
  const { verdict, cases } = compare(base, head);
  assert.equal(verdict, 'same');
  assert.deepEqual(
    cases.flatMap(({ id, only }) => (only ? [[id, only]] : [])),
    [
      ['new', 'head'],
      ['old', 'base'],
    ],
  );
});

test('a common slowdown of all but the reference is not divided out', () => {
  const atSpeed = (/** @type {number} */ speed) =>
    runOf([
      caseOf('gauge', usual(50000), { reference: true }),
      caseOf('a', usual(30000 * speed)),
      caseOf('b', usual(20000 * speed)),
    ]);
  const { cases } = compare(atSpeed(1), atSpeed(0.9));
  assert.deepEqual(
    cases.map(({ id, verdict }) => [id, verdict]),
    [
      ['a', 'regressed'],
      ['b', 'regressed'],
    ],
  );
});

test('a branch whose only server is new has nothing to compare with, and is green', () => {
  const reference = () => caseOf('node-http', usual(), { reference: true });
  const comparison = compare(runOf([reference()]), runOf([reference(), caseOf('new', usual())]));
  assert.equal(comparison.method, 'side-by-side');
  assert.equal(comparison.verdict, 'same');
  assert.deepEqual(
    comparison.cases.map(({ id, only }) => [id, only]),
    [['new', 'head']],
  );
});

test('four rounds that all differ by a third or more are a change, whatever share of the risk a look has', () => {
  const random = seededNormal(11);
  const base = startsOf({ level: 1000, noise: 0, starts: 4, random, only: 'throughput' });
  const slower = (/** @type {number[]} */ ...changes) =>
    changes.map((pct, round) => ({
      .../** @type {Trial} */ (base[round]),
      windows: [{ seconds: 1, requests: 1000 * (1 + pct / 100) }],
    }));
  const verdictOf = (/** @type {Trial[]} */ head) =>
    compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)]), { alpha: 0.002 }).cases[0]?.metrics[0];
  assert.equal(verdictOf(slower(-37, -49, -56, -51))?.verdict, 'regressed');
  assert.equal(verdictOf(slower(-37, -49, -56, -21))?.verdict, 'unsure', 'one lies near');
  assert.equal(verdictOf(slower(-27, -97, -56, -51))?.verdict, 'unsure', 'they scatter too far');
  const far = slower(-37, -49, -70, -51);
  assert.equal(verdictOf(far)?.verdict, 'regressed');
  const alone = /** @type {const} */ (true);
  const apart = verdictOf(far.map((trial) => ({ ...trial, alone })));
  assert.equal(apart?.verdict, 'unsure', 'they share no moment');
});

test('an undecided interval says its confidence, which is more than that of the others', () => {
  const levelOf = (/** @type {boolean} */ holds) => {
    const effect = {
      ...{ metric: 'throughput', base: 100, head: 90, effect: -0.1, error: 0.03, df: 7, rounds: 8 },
      ...{ wrecked: 0, floor: 0, grain: 0, nearest: 0 },
    };
    return judgeEffect(effect, { holds, alpha: 0.001, margin: 0.05 }).ciLevelPct;
  };
  assert.equal(levelOf(true), 95);
  assert.ok(Math.abs((levelOf(false) ?? 0) - 99.8) < 1e-9);
});
