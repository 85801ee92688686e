/** What is told of counts: of exact ones without risk, of others like figures. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from 'd3-array';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { compare } from '../../scripts/judge/compare.js';
import { changedKinds, differenceOf } from '../../scripts/judge/counts.js';
import { judgeLimits } from '../../scripts/judge/judge-limits.js';
import { en } from '../../scripts/report/text/en.js';
import { isRuled, metric } from '../../scripts/samples/figures.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @import { RunCase, Trial, Window } from '../../scripts/types.js' */

/**
 * Starts of two windows, which differ in their requests.
 * @param {(requests: number) => Partial<Window>} fill
 * @param {number} [starts]
 * @returns {Trial[]}
 */
function counting(fill, starts = 4) {
  const trials = startsOf({ level: 3000, noise: 0.01, starts, random: seededNormal(5) });
  return trials.map(({ windows: [window], ...trial }, start) => ({
    ...trial,
    windows: [0, 7].map((more, place) => {
      const requests = 3000 + more + start;
      return { ...window, requests, ...fill(requests), at: 10 * start + place, seconds: 1 };
    }),
  }));
}

/** @type {(each: number, idle?: number) => (requests: number) => Partial<Window>} */
const sending =
  (each, idle = 0) =>
  (requests) => ({
    outgoing: { count: Math.round(each * requests), idle, by: {} },
  });

/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 * @param {string} [id]
 */
function judge(base, head, id = 'outgoing') {
  const [only] = compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)])).cases;
  assert.notEqual(only?.verdict, 'regressed', 'a count alone decides no case');
  const change = only?.metrics.find(({ metric }) => metric === id);
  return change && { verdict: change.verdict, code: change.why.code, base: change.base, head: change.head };
}

test('a count that is the same in every window is exact, and a change of it is told', () => {
  const exact = { code: 'exact-count', base: 1 };
  assert.deepEqual(judge(counting(sending(1)), counting(sending(1))), { ...exact, verdict: 'same', head: 1 });
  assert.deepEqual(judge(counting(sending(1)), counting(sending(3))), {
    ...exact,
    verdict: 'regressed',
    head: 3,
  });
  assert.deepEqual(judge(counting(sending(1)), counting(sending(0))), {
    ...exact,
    verdict: 'improved',
    head: 0,
  });
  assert.equal(judge(counting(sending(0)), counting(sending(1)))?.verdict, 'regressed', 'from nothing');
});

test('two starts are too few for a change of an exact count, and three are enough', () => {
  const two = judge(counting(sending(1), 2), counting(sending(2), 2));
  assert.deepEqual([two?.verdict, two?.code], ['unsure', 'few-rounds']);
  assert.equal(judge(counting(sending(1), 3), counting(sending(2), 3))?.verdict, 'regressed');
  const uneven = judge(counting(sending(1), 4), counting(sending(2), 2));
  assert.deepEqual([uneven?.verdict, uneven?.code], ['unsure', 'few-rounds'], 'of either side');
});

test('exact counts of other data, or of another kind of machine, are told as such', () => {
  const [base, head] = [1, 3].map((each) => caseOf('a', counting(sending(each))));
  assert.ok(base && head);
  const codeOf = (/** @type {RunCase} */ measured, /** @type {{ fingerprint?: string }} */ facts = {}) => {
    const elsewhere = runOf([measured], { session: 'two', ...facts });
    const [only] = compare(runOf([base]), elsewhere).cases;
    return only?.metrics.find(({ metric }) => metric === 'outgoing')?.why.code;
  };
  const request = { ...head.request, data: /** @type {any} */ ({ sha256: 'other' }) };
  assert.equal(codeOf({ ...head, request }), 'other-data');
  assert.equal(codeOf(head, { fingerprint: 'elsewhere' }), 'other-machine');
});

test('a gate on a count asks for it like a limit', () => {
  assert.ok(isRuled({ gates: { statements: 'regressed' } }, 'statements'));
  assert.ok(isRuled({ limits: [{ metric: 'statements', bound: 3 }] }, 'statements'));
  assert.ok(!isRuled({ gates: { statements: 'never' } }, 'statements'));
});

test('work without load, an error, a server that was still busy or another quotient make a count inexact', () => {
  const clean = () => counting(sending(1));
  const [first, ...others] = clean();
  assert.ok(first);
  const inexact = [
    counting(sending(1, 2)),
    counting((requests) => ({ ...sending(1)(requests), errors: { timeouts: 1, stalls: 0 } })),
    [{ ...first, busySeconds: 1 }, ...others],
    counting((requests) => ({ ...sending(1)(requests), unanswered: 4000 })),
    counting(sending(1.01)),
    counting((requests) => ({ outgoing: { count: requests, by: {} } })),
  ];
  for (const head of inexact)
    assert.match(
      judge(clean(), head)?.code ?? '',
      /^(inside-margin|inexact-count)$/,
      JSON.stringify(head[0]),
    );
});

test('a count that is not exact changes by more than half, and is unsure where it scatters', () => {
  const cached = (/** @type {number} */ each) =>
    counting((requests) => sending(each + 0.02 * (requests % 3))(requests));
  assert.equal(judge(cached(0.1), cached(0.3))?.verdict, 'same');
  assert.equal(judge(cached(1), cached(2))?.verdict, 'regressed');
  const wild = counting((requests) => sending((requests % 5) * 0.6)(requests));
  assert.deepEqual(judge(wild, cached(0.5)), {
    verdict: 'unsure',
    code: 'inexact-count',
    base: judge(wild, wild)?.base,
    head: judge(cached(0.5), cached(0.5))?.base,
  });
});

test('the hosts that are asked more or less often are named, the largest change first', () => {
  const asking = (/** @type {Record<string, number>} */ each) =>
    counting((requests) => {
      const by = Object.entries(each).map(([host, times]) => [host, times * requests]);
      return {
        outgoing: { count: requests * sum(Object.values(each)), idle: 0, by: Object.fromEntries(by) },
      };
    });
  const base = runOf([caseOf('a', asking({ stock: 1, mail: 1, users: 2 }))]);
  const head = runOf([caseOf('a', asking({ prices: 4, stock: 3, mail: 1.1, users: 1 }))]);
  const change = compare(base, head).cases[0]?.metrics.find(({ metric }) => metric === 'outgoing');
  assert.deepEqual(change?.changedKinds, [
    { name: 'prices', base: 0, head: 4 },
    { name: 'stock', base: 1, head: 3 },
    { name: 'users', base: 2, head: 1 },
  ]);
});

test('allocated bytes have a margin of one percent of their own', () => {
  const allocating = (/** @type {number} */ each) =>
    counting((requests) => ({ allocatedBytes: requests * (each + (requests % 3)) }), 10);
  assert.equal(judge(allocating(7000), allocating(7040), 'allocated')?.verdict, 'same');
  assert.equal(judge(allocating(7000), allocating(7210), 'allocated')?.verdict, 'regressed');
  assert.equal(judge(allocating(7000), allocating(6800), 'allocated')?.verdict, 'improved');
});

const side = (/** @type {number[]} */ ...each) =>
  caseOf(
    'a',
    each.flatMap((bytes, start) =>
      counting((requests) => ({ allocatedBytes: bytes * requests }), 3).slice(start, start + 1),
    ),
  );

test('one percent more bytes is a change, since it may exceed the margin', () => {
  const seen = (/** @type {ReturnType<typeof side>} */ base, /** @type {ReturnType<typeof side>} */ head) =>
    differenceOf({ base, head }, metric('allocated'));
  const base = side(7000, 7003, 6998);
  assert.ok(seen(base, side(7069, 7071, 7070)) > 0);
  assert.ok(seen(side(7000), side(7040)) > 0, 'one start asks for more');
  assert.equal(seen(base, side(7036, 7037, 7038)), 0, 'that is surely inside');
  assert.equal(seen(side(7000), side(7034)), 0);
});

test('three starts a side lie farther apart than those of either before they tell a difference', () => {
  const seen = (/** @type {ReturnType<typeof side>} */ head) =>
    differenceOf({ base: side(7000, 7060, 7110), head }, metric('allocated'), 3);
  assert.equal(seen(side(7180, 7200, 7290)), 0, 'they scatter by 110 bytes, and lie 70 apart');
  assert.ok(Math.abs(seen(side(7230, 7250, 7340)) - 216.7) < 0.1);
  assert.ok(seen(side(6800, 6830, 6880)) < 0);
});

test('a limit may be the exact count itself', () => {
  const run = runOf([caseOf('a', counting(sending(10)))]);
  const verdictAt = (/** @type {number} */ bound) =>
    judgeLimits(run, [{ metric: 'outgoing', bound }])[0]?.verdict;
  assert.deepEqual([verdictAt(10), verdictAt(9)], ['passes', 'fails']);
});

test('one start that is only counted decides a limit, unless bytes lie within their margin of it', () => {
  const trials = counting((requests) => ({ ...sending(10)(requests), allocatedBytes: 1000 * requests }), 1);
  const limits = [
    ...[10, 9].map((bound) => ({ metric: 'outgoing', bound })),
    ...[1020, 1005, 980].map((bound) => ({ metric: 'allocated', bound })),
  ];
  const verdictsOf = (/** @type {{ counted?: true }} */ facts) =>
    judgeLimits(runOf([{ ...caseOf('a', trials), ...facts }]), limits).map(({ verdict }) => verdict);
  const open = 'unsure';
  assert.deepEqual(verdictsOf({ counted: true }), ['passes', 'fails', 'passes', open, 'fails']);
  assert.deepEqual(new Set(verdictsOf({})), new Set([open]));
});

test('a load tool that is the limit says nothing against a count beyond its own', () => {
  const summary = /** @type {any} */ ({ clientBound: true });
  const busy = runOf([{ ...caseOf('a', counting(sending(10))), summary }]);
  const [beyond] = judgeLimits(busy, [{ metric: 'outgoing', bound: 3 }]);
  assert.equal(beyond?.verdict, 'fails');
});

test('a count that is open says how many rounds would decide it, and its gate keeps the case open', () => {
  const wild = (/** @type {number} */ times, more = 0) =>
    counting((requests) => sending(((times * requests) % 5) * 0.6 + more)(requests), 5);
  const speeds = { level: 3000, noise: 0.001, starts: 5, random: seededNormal(6) };
  const withSpeed = (/** @type {Trial[]} */ trials) =>
    startsOf(speeds).map((trial, place) => ({
      ...trial,
      windows: trial.windows.map((window) => ({ ...window, outgoing: trials[place]?.windows[0]?.outgoing })),
    }));
  const [base, head] = [
    runOf([caseOf('a', withSpeed(wild(1)))]),
    runOf([caseOf('a', withSpeed(wild(3, 0.7)))]),
  ];
  const comparison = compare(base, head, { margin: 0.05 });
  const why = comparison.cases[0]?.metrics.find(({ metric }) => metric === 'outgoing')?.why;
  assert.ok(why?.code === 'inexact-count' && Number(why.moreRounds) >= 1, JSON.stringify(why));
  assert.deepEqual([...decidedCases(comparison)], ['a']);
  assert.deepEqual([...decidedCases(comparison, { outgoing: 'regressed' })], []);
});

test('what was counted without load is the reason why a count is not exact', () => {
  const [only] = compare(
    runOf([caseOf('a', counting(sending(1)))]),
    runOf([caseOf('a', counting(sending(1, 2)))]),
  ).cases;
  const why = only?.metrics.find(({ metric }) => metric === 'outgoing')?.why;
  assert.deepEqual(why, { code: 'inexact-count', idle: 2 });
  assert.equal(why && en.reason(why), 'not exact: 2 counted without load');
});

test('a kind that a full list lacks is not said to be gone', () => {
  const asking = (/** @type {Record<string, number>} */ each, /** @type {number} */ all) =>
    counting((requests) => {
      const by = Object.entries(each).map(([host, times]) => [host, times * requests]);
      return { outgoing: { count: all * requests, idle: 0, by: Object.fromEntries(by) } };
    });
  const base = caseOf('a', asking({ stock: 1, mail: 1 }, 2));
  const kindsIn = (/** @type {Trial[]} */ head) =>
    changedKinds({ base, head: caseOf('a', head) }, 'outgoing');
  const more = { name: 'prices', base: 0, head: 4 };
  assert.deepEqual(kindsIn(asking({ prices: 4, stock: 1 }, 6)), [more]);
  assert.deepEqual(kindsIn(asking({ prices: 4, stock: 1 }, 5)), [more, { name: 'mail', base: 1, head: 0 }]);
});

test('an exact count of a control is told, of starts that have one window', () => {
  const shared = (/** @type {number} */ each) => ({
    ...caseOf(
      'a',
      counting(sending(each), 3).map((trial) => ({ ...trial, windows: trial.windows.slice(0, 1) })),
    ),
    role: /** @type {const} */ ('control'),
  });
  const [only] = compare(runOf([shared(1)]), runOf([shared(2)])).cases;
  const change = only?.metrics.find(({ metric }) => metric === 'outgoing');
  assert.deepEqual([change?.verdict, change?.why.code], ['regressed', 'exact-count']);
});
